package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// encoder is the child process that reads raw frames from stdin. It shares stderr with this process.
type encoder struct {
	command *exec.Cmd
	stdin   io.WriteCloser
}

// pipeBytes is the largest pipe buffer for ordinary users. It saves switches between the processes per frame of 3 MB.
const pipeBytes = 1 << 20

func startEncoder(command []string) (*encoder, error) {
	if len(command) == 0 {
		return nil, errors.New("no encoder command given")
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	syscall.Syscall(syscall.SYS_FCNTL, writer.Fd(), 1031 /* F_SETPIPE_SZ */, pipeBytes)
	child := exec.Command(command[0], command[1:]...)
	child.Stdin, child.Stdout, child.Stderr = reader, os.Stderr, os.Stderr
	// It closes the file at the end of its input, so signals to the process group of this process must not reach it.
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := child.Start(); err != nil {
		return nil, err
	}
	return &encoder{command: child, stdin: writer}, reader.Close()
}

// end closes the stream and waits until the encoder has closed the file.
func (e *encoder) end() (int, error) {
	e.stdin.Close()
	err := e.command.Wait()
	return e.command.ProcessState.ExitCode(), err
}
