package main

import (
	"fmt"
	"net"
	"syscall"
)

// sendDescriptor sends some bytes and one open file with them (unix(7), SCM_RIGHTS).
func sendDescriptor(to *net.UnixConn, with []byte, descriptor int) error {
	_, _, err := to.WriteMsgUnix(with, syscall.UnixRights(descriptor), nil)
	return err
}

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
	for _, message := range messages {
		descriptors, err := syscall.ParseUnixRights(&message)
		if err == nil && len(descriptors) == 1 {
			return descriptors[0], nil
		}
	}
	return 0, fmt.Errorf("no open file came")
}
