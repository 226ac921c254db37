package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
)

// parent is the Node process that started this one with an `ipc` channel: a Unix socket with one JSON object per line,
// each with an optional handle (Node's lib/internal/child_process.js).
type parent struct {
	channel *net.UnixConn
	// Closed once the parent has acknowledged a handle.
	acknowledged chan struct{}
}

func parentChannel() (*parent, error) {
	descriptor, err := strconv.Atoi(os.Getenv("NODE_CHANNEL_FD"))
	if err != nil {
		return nil, fmt.Errorf("borrow must be started by a Node process with an ipc channel")
	}
	file := os.NewFile(uintptr(descriptor), "ipc")
	defer file.Close()
	connection, err := net.FileConn(file)
	if err != nil {
		return nil, err
	}
	channel, ok := connection.(*net.UnixConn)
	if !ok {
		return nil, fmt.Errorf("the ipc channel is not a Unix socket")
	}
	made := &parent{channel, make(chan struct{})}
	go made.readAcknowledgements()
	return made, nil
}

// readAcknowledgements ends this process when the parent exits, since nothing else can use the listener.
func (p *parent) readAcknowledgements() {
	lines := bufio.NewReader(p.channel)
	if _, err := lines.ReadString('\n'); err == nil {
		close(p.acknowledged)
		_, _ = lines.ReadString('\n')
	}
	os.Exit(1)
}

// ready reports that the socket is listening.
func (p *parent) ready() error {
	_, err := p.channel.Write([]byte(`{"type":"ready"}` + "\n"))
	return err
}

// give returns when Node has acknowledged the handle and created a net.Server for it.
func (p *parent) give(descriptor int) error {
	message := `{"cmd":"NODE_HANDLE","type":"net.Server","msg":{"type":"listener"}}` + "\n"
	if err := sendDescriptor(p.channel, []byte(message), descriptor); err != nil {
		return err
	}
	<-p.acknowledged
	return nil
}
