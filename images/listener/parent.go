package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
)

// parent is the Node process that started this one with an `ipc` channel: a unix socket with one JSON object a line,
// each of which may carry a handle (Node's lib/internal/child_process.js).
type parent struct {
	channel *net.UnixConn
	// Closed once something was acknowledged.
	acknowledged chan struct{}
}

func parentChannel() (*parent, error) {
	descriptor, err := strconv.Atoi(os.Getenv("NODE_CHANNEL_FD"))
	if err != nil {
		return nil, fmt.Errorf("borrow is started by a Node process, with an ipc channel")
	}
	file := os.NewFile(uintptr(descriptor), "ipc")
	defer file.Close()
	connection, err := net.FileConn(file)
	if err != nil {
		return nil, err
	}
	channel, ok := connection.(*net.UnixConn)
	if !ok {
		return nil, fmt.Errorf("the ipc channel is no unix socket")
	}
	made := &parent{channel, make(chan struct{})}
	go made.hear()
	return made, nil
}

// hear ends this process with its parent: nobody else would take the listener.
func (p *parent) hear() {
	lines := bufio.NewReader(p.channel)
	if _, err := lines.ReadString('\n'); err == nil {
		close(p.acknowledged)
		_, _ = lines.ReadString('\n')
	}
	os.Exit(1)
}

// ready tells that the socket listens.
func (p *parent) ready() error {
	_, err := p.channel.Write([]byte(`{"type":"ready"}` + "\n"))
	return err
}

// give returns when Node has acknowledged the handle, for which it has made a net.Server.
func (p *parent) give(descriptor int) error {
	message := `{"cmd":"NODE_HANDLE","type":"net.Server","msg":{"type":"listener"}}` + "\n"
	if err := sendDescriptor(p.channel, []byte(message), descriptor); err != nil {
		return err
	}
	<-p.acknowledged
	return nil
}
