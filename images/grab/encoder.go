package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// encoder is the child that takes raw frames on its stdin. Its stderr is ours.
type encoder struct {
	command *exec.Cmd
	stdin   io.WriteCloser
}

// pipeBytes is the most an ordinary user's pipe may hold: fewer turns between two processes per frame of 3 MB.
const pipeBytes = 1 << 20

func startEncoder(command []string) (*encoder, error) {
	if len(command) == 0 {
		return nil, errors.New("no encoder was named")
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	syscall.Syscall(syscall.SYS_FCNTL, writer.Fd(), 1031 /* F_SETPIPE_SZ */, pipeBytes)
	child := exec.Command(command[0], command[1:]...)
	child.Stdin, child.Stdout, child.Stderr = reader, os.Stderr, os.Stderr
	// Its end of input is its signal to close the file: a signal to our process group must not reach it.
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := child.Start(); err != nil {
		return nil, err
	}
	return &encoder{command: child, stdin: writer}, reader.Close()
}

// end closes the stream and waits for the file to be closed.
func (e *encoder) end() (int, error) {
	e.stdin.Close()
	err := e.command.Wait()
	return e.command.ProcessState.ExitCode(), err
}
