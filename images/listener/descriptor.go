package main

import (
	"fmt"
	"net"
	"syscall"
)

// sendDescriptor sends bytes together with a file descriptor (unix(7), SCM_RIGHTS).
func sendDescriptor(to *net.UnixConn, with []byte, descriptor int) error {
	_, _, err := to.WriteMsgUnix(with, syscall.UnixRights(descriptor), nil)
	return err
}

// receiveDescriptor receives the file descriptor that is sent with the next byte. There is room for one; the kernel closes
// any others.
func receiveDescriptor(from *net.UnixConn) (int, error) {
	const bytesOfOne = 4
	ancillary := make([]byte, syscall.CmsgSpace(bytesOfOne))
	_, length, _, _, err := from.ReadMsgUnix(make([]byte, 1), ancillary)
	if err != nil {
		return 0, err
	}
	messages, err := syscall.ParseSocketControlMessage(ancillary[:length])
	if err != nil {
		return 0, err
	}
	if len(messages) != 1 {
		return 0, fmt.Errorf("no file descriptor was received")
	}
	descriptors, err := syscall.ParseUnixRights(&messages[0])
	if err != nil {
		return 0, err
	}
	// CmsgSpace rounds up to a word, which has room for a second one.
	for _, more := range descriptors[1:] {
		syscall.Close(more)
	}
	return descriptors[0], nil
}
