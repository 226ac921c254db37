package main

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// receive gives what a lender that sends these descriptors is told.
func receive(t *testing.T, descriptors ...int) (int, error) {
	t.Helper()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	to, from := connection(t, ends[0]), connection(t, ends[1])
	var rights []byte
	if len(descriptors) > 0 {
		rights = syscall.UnixRights(descriptors...)
	}
	if _, _, err := to.WriteMsgUnix([]byte{taken}, rights, nil); err != nil {
		t.Fatal(err)
	}
	to.Close()
	return receiveListener(from)
}

func connection(t *testing.T, descriptor int) *net.UnixConn {
	t.Helper()
	file := os.NewFile(uintptr(descriptor), "end")
	defer file.Close()
	made, err := net.FileConn(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { made.Close() })
	return made.(*net.UnixConn)
}

func descriptorOf(t *testing.T, network, address string) int {
	t.Helper()
	var made interface{ File() (*os.File, error) }
	if network == "udp" {
		packets, err := net.ListenUDP(network, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		made = packets
	} else {
		listener, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		made = listener.(interface{ File() (*os.File, error) })
	}
	file, err := made.File()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return int(file.Fd())
}

func TestTakesAListenerAndNothingElse(t *testing.T) {
	tcp := descriptorOf(t, "tcp4", "127.0.0.1:0")
	for name, one := range map[string]struct {
		sent []int
		ok   bool
	}{
		"a listener":            {[]int{tcp}, true},
		"nothing":               {nil, false},
		"datagrams":             {[]int{descriptorOf(t, "udp", "")}, false},
		"a unix listener":       {[]int{descriptorOf(t, "unix", filepath.Join(t.TempDir(), "s"))}, false},
		"a file":                {[]int{0}, false},
		"a listener and others": {[]int{tcp, tcp, tcp}, true},
	} {
		before := openFiles(t)
		descriptor, err := receive(t, one.sent...)
		if (err == nil) != one.ok {
			t.Errorf("%s: error is %v", name, err)
		}
		if err == nil {
			flags, _, _ := syscall.Syscall(syscall.SYS_FCNTL, uintptr(descriptor), syscall.F_GETFL, 0)
			if flags&syscall.O_NONBLOCK == 0 {
				t.Errorf("%s: it blocks", name)
			}
			syscall.Close(descriptor)
		}
		// The receiving end is closed with the test.
		if after := openFiles(t); after > before+1 {
			t.Errorf("%s: %d files stay open", name, after-before-1)
		}
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}
