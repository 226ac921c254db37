// Clawbench-listener takes a listening socket from one network namespace to another.
//
//	clawbench-listener lend ADDRESS SOCKET  listens on a loopback address here and hands the listener over
//	clawbench-listener borrow SOCKET        takes it, and gives it to the Node process that started this one
//
// Chromium finds its proxy on the loopback of a namespace that has no other way out. With the listener in the recorder's
// own hands nothing stands between the two: no forwarder, and no process for each connection.
package main

import (
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "clawbench-listener: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "lend":
		return lend(args[1], args[2])
	case len(args) == 2 && args[0] == "borrow":
		return borrow(args[1])
	}
	return fmt.Errorf("usage: clawbench-listener lend ADDRESS SOCKET | clawbench-listener borrow SOCKET")
}

// lend returns when the other side has taken the listener: until then it would be lost with its sender.
func lend(address, socket string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	to, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return err
	}
	defer to.Close()
	if err := sendDescriptor(to, []byte{taken}, int(file.Fd())); err != nil {
		return err
	}
	answer := make([]byte, 1)
	if _, err := to.Read(answer); err != nil {
		return fmt.Errorf("the listener was not taken: %w", err)
	}
	return nil
}

// taken is the one byte that goes with the listener, and back once it has arrived.
const taken = 'L'

// lenderTime is how long one that has connected may take to hand its listener over: the next one waits behind it.
const lenderTime = 10 * time.Second

// borrow takes one listener: a second would be a second browser's. Who brings none is let go.
func borrow(socket string) error {
	parent, err := parentChannel()
	if err != nil {
		return err
	}
	door, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return err
	}
	if err := parent.ready(); err != nil {
		return err
	}
	for {
		from, err := door.AcceptUnix()
		if err != nil {
			return err
		}
		descriptor, err := receiveListener(from)
		if err != nil {
			fmt.Fprintf(os.Stderr, "clawbench-listener: %v\n", err)
			from.Close()
			continue
		}
		door.Close()
		defer from.Close()
		if err := parent.give(descriptor); err != nil {
			return err
		}
		_, err = from.Write([]byte{taken})
		return err
	}
}

func receiveListener(from *net.UnixConn) (int, error) {
	if err := from.SetReadDeadline(time.Now().Add(lenderTime)); err != nil {
		return 0, err
	}
	descriptor, err := receiveDescriptor(from)
	if err != nil {
		return 0, err
	}
	if err := checkListener(descriptor); err != nil {
		syscall.Close(descriptor)
		return 0, err
	}
	return descriptor, nil
}

// checkListener also makes it one that does not block: its lender's way of reading the descriptor left it blocking, and
// an event loop that accepts until there is nothing more would stand still.
func checkListener(descriptor int) error {
	listens, err := syscall.GetsockoptInt(descriptor, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN)
	if err != nil || listens == 0 {
		return fmt.Errorf("what came is no listening socket")
	}
	family, err := syscall.GetsockoptInt(descriptor, syscall.SOL_SOCKET, syscall.SO_DOMAIN)
	if err != nil || family != syscall.AF_INET {
		return fmt.Errorf("what came listens for something else than IPv4")
	}
	return syscall.SetNonblock(descriptor, true)
}
