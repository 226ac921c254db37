// Command clawbench-shim wraps the agent in the harness container. It is written in Go, because it must run in any image,
// without libc, curl or Node. It waits until interception is armed, starts the agent in its own process group, ends the
// whole group when the agent exits or the recorder requests a stop, and exits only when the evidence is stored, since the
// kubelet stops the recorder when this container has ended.
//
//	clawbench-shim copy DEST      copies the binary to the folder DEST; used by the init container
//	clawbench-shim await FILE     waits up to 25 s for FILE; used by startup probes, which would otherwise start a process every second
//	clawbench-shim stop           asks the recorder to finalise, and waits for it; used by the recorder's preStop hook
//	clawbench-shim -- CMD ARG...  runs CMD under the control of the recorder (docs/protocol.md, "Control API")
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
	// How long the recorder may be unreachable before the shim reports the outcome itself. A recorder that was OOM-killed
	// is restarted by the kubelet within seconds, and then responds that the attempt has ended.
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

// awaitLimit is less than the timeout of the probes, so that the kubelet gets an exit code and never has to kill a probe.
const awaitLimit = 25 * time.Second

// awaitFile returns whether the file appeared in time. A process that checks every 20 ms costs a fraction of starting one
// every second in the container, and lets the next container start immediately.
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

// copySelf writes to a temporary name and renames, so that an incomplete binary is never executed.
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
