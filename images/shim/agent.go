package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	prSetChildSubreaper = 36
	// Limited, since an agent that forks faster than it can be killed must not delay the evidence forever.
	killRounds = 200
)

// agent is the started command with all of its descendants. The shim is a child subreaper, so it inherits orphans, even
// those with their own session. When it has no children left, the agent has ended.
type agent struct {
	pid     int
	exited  chan int      // exit code of the command itself
	allGone chan struct{} // closed when no descendant is left
}

// agentEnvironment adds the prompt and the recorder's KEY=VALUE lines to the environment of this process.
func agentEnvironment(taskDir string) ([]string, error) {
	instruction, err := os.ReadFile(filepath.Join(taskDir, "instruction.txt"))
	if err != nil {
		return nil, err
	}
	result := with(os.Environ(), "INSTRUCTION="+string(instruction))
	extra, err := os.ReadFile(filepath.Join(taskDir, "agent.env"))
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(extra))
	for lines.Scan() {
		if line := lines.Text(); strings.Contains(line, "=") && !strings.HasPrefix(line, "#") {
			result = with(result, line)
		}
	}
	return result, lines.Err()
}

// with sets a variable. The kernel accepts duplicate names, but shells differ in which of the two they use.
func with(environment []string, line string) []string {
	name, _, _ := strings.Cut(line, "=")
	kept := slices.DeleteFunc(environment, func(old string) bool { return strings.HasPrefix(old, name+"=") })
	return append(kept, line)
}

func startAgent(command []string, environment []string) (*agent, error) {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); errno != 0 {
		return nil, errno
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return nil, err
	}
	pid, err := syscall.ForkExec(path, command, &syscall.ProcAttr{
		Env:   environment,
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return nil, err
	}
	a := &agent{pid: pid, exited: make(chan int, 1), allGone: make(chan struct{})}
	go a.reap()
	return a, nil
}

func (a *agent) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil { // ECHILD: nobody left
			close(a.allGone)
			return
		}
		if pid == a.pid {
			code := status.ExitStatus()
			if status.Signaled() {
				code = 128 + int(status.Signal())
			}
			a.exited <- code
		}
	}
}

// end sends SIGTERM and, after the grace period, SIGKILL until no descendant is left.
func (a *agent) end(grace time.Duration) {
	a.signalAll(syscall.SIGTERM)
	select {
	case <-a.allGone:
		return
	case <-time.After(grace):
	}
	for range killRounds {
		a.signalAll(syscall.SIGKILL)
		select {
		case <-a.allGone:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (a *agent) signalAll(signal syscall.Signal) {
	_ = syscall.Kill(-a.pid, signal)
	for _, pid := range descendants(os.Getpid()) {
		// Not twice to the group, since many programs treat a second SIGTERM as "immediately".
		if group, err := syscall.Getpgid(pid); err == nil && group != a.pid {
			_ = syscall.Kill(pid, signal)
		}
	}
}

// descendants reads /proc once. A process that is forked meanwhile is found in the next round.
func descendants(root int) []int {
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if parent, ok := parentOf(pid); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	var found []int
	for queue := children[root]; len(queue) > 0; queue = queue[1:] {
		found = append(found, queue[0])
		queue = append(queue, children[queue[0]]...)
	}
	return found
}

func parentOf(pid int) (int, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	// The name in parentheses may contain spaces and parentheses, so the fields start after the last parenthesis.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 || fields[0] == "Z" {
		return 0, false
	}
	parent, err := strconv.Atoi(fields[1])
	return parent, err == nil
}
