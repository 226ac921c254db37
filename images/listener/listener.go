// Clawbench-listener passes a listening socket from one network namespace to another.
//
//	clawbench-listener lend ADDRESS SOCKET  listens on a loopback address and passes the listener on
//	clawbench-listener borrow SOCKET        receives it and passes it to the parent Node process
//
// Chromium's proxy is on the loopback of a network namespace without any other egress. Since the recorder has the listener
// itself, there is no forwarder between the two and no process per connection.
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

// lend returns when the other side has received the listener, which would otherwise be lost when this process exits.
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
		return fmt.Errorf("the listener was not accepted: %w", err)
	}
	return nil
}

// taken is the byte that is sent with the listener, and sent back once it has arrived.
const taken = 'L'

// lenderTime limits how long a connected lender may take to send its listener, since the next one has to wait.
const lenderTime = 10 * time.Second

// borrow accepts one listener, since a second one would belong to a second browser. Lenders without one are disconnected.
func borrow(socket string) error {
	parent, err := parentChannel()
	if err != nil {
		return err
	}
	lenders, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return err
	}
	if err := parent.ready(); err != nil {
		return err
	}
	for {
		from, err := lenders.AcceptUnix()
		if err != nil {
			return err
		}
		descriptor, err := receiveListener(from)
		if err != nil {
			fmt.Fprintf(os.Stderr, "clawbench-listener: %v\n", err)
			from.Close()
			continue
		}
		lenders.Close()
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

// checkListener also sets the listener to non-blocking: the lender left it blocking, and an event loop that accepts until
// there are no more connections would hang.
func checkListener(descriptor int) error {
	listens, err := syscall.GetsockoptInt(descriptor, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN)
	if err != nil || listens == 0 {
		return fmt.Errorf("the received file descriptor is not a listening socket")
	}
	family, err := syscall.GetsockoptInt(descriptor, syscall.SOL_SOCKET, syscall.SO_DOMAIN)
	if err != nil || family != syscall.AF_INET {
		return fmt.Errorf("the received listener is not an IPv4 listener")
	}
	return syscall.SetNonblock(descriptor, true)
}
