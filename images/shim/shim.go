// Command clawbench-shim wraps the agent in the harness container. It is the only program here that is not TypeScript:
// it must run in any image, without libc, curl or Node. It waits until interception is armed, starts the agent as a
// process group of its own, ends all of it when the agent exits or the recorder says stop, and exits only when the
// evidence is safe, since this container's end is what lets kubelet stop the recorder.
//
//	clawbench-shim copy DEST      puts the binary into DEST (a folder): the init container's work
//	clawbench-shim await FILE     waits up to 25 s for FILE: the startup probes, which would otherwise start a process each second
//	clawbench-shim stop           asks the recorder to finalise and waits for it: the recorder's preStop hook
//	clawbench-shim -- CMD ARG...  runs CMD under the recorder's control (docs/protocol.md, "Control API")
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

type settings struct {
	controlURL     string
	taskDir        string
	terminationLog string
	// How long the recorder may be unreachable before the shim reports by itself. A recorder that was OOM-killed is
	// restarted by kubelet within seconds and then answers, parked, that the attempt is over.
	recorderLost time.Duration
	command      []string
}

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

func readSettings() settings {
	lost, err := time.ParseDuration(env("CLAWBENCH_RECORDER_LOST", "45s"))
	if err != nil {
		lost = 45 * time.Second
	}
	return settings{
		controlURL:     env("CLAWBENCH_CONTROL_URL", "http://127.0.0.1:7878"),
		taskDir:        env("CLAWBENCH_TASK_DIR", "/clawbench-task"),
		terminationLog: env("CLAWBENCH_TERMINATION_LOG", "/dev/termination-log"),
		recorderLost:   lost,
	}
}

func main() {
	args := os.Args[1:]
	switch {
	case len(args) == 2 && args[0] == "copy":
		if err := copySelf(args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "clawbench-shim:", err)
			os.Exit(1)
		}
	case len(args) == 2 && args[0] == "await":
		if !awaitFile(args[1], awaitLimit) {
			os.Exit(1)
		}
	case len(args) == 1 && args[0] == "stop":
		s := readSettings()
		s.recorderLost = 2 * time.Second
		if _, err := finalise(newControl(s)); err != nil {
			fmt.Fprintln(os.Stderr, "clawbench-shim:", err)
			os.Exit(1)
		}
	case len(args) >= 2 && args[0] == "--":
		s := readSettings()
		s.command = args[1:]
		run(s)
	default:
		fmt.Fprintln(os.Stderr, "usage: clawbench-shim copy DEST | clawbench-shim await FILE | clawbench-shim stop | clawbench-shim -- COMMAND [ARG...]")
		os.Exit(2)
	}
}

// awaitLimit stays below the probes' timeout, so that kubelet sees an exit code and never has to kill a probe.
const awaitLimit = 25 * time.Second

// awaitFile tells whether the file came in time. One process that looks every 20 ms costs a fraction of starting one a
// second in the container, and lets the next container start at once.
func awaitFile(path string, limit time.Duration) bool {
	for end := time.Now().Add(limit); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// copySelf writes under another name and renames, so that a half-written binary is never executed.
func copySelf(dest string) error {
	source, err := os.Open("/proc/self/exe")
	if err != nil {
		return err
	}
	defer source.Close()
	final := filepath.Join(dest, "clawbench-shim")
	target, err := os.OpenFile(final+".new", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	if _, err = io.Copy(target, source); err != nil {
		return err
	}
	if err = target.Close(); err != nil {
		return err
	}
	return os.Rename(final+".new", final)
}
