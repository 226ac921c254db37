package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// Used if SIGTERM arrives before the recorder has sent its own value.
const defaultKillGrace = 5 * time.Second

type stop struct {
	Stop        bool    `json:"stop"`
	Reason      string  `json:"reason"`
	KillSeconds float64 `json:"killSeconds"`
}

func (s stop) grace() time.Duration {
	if s.KillSeconds <= 0 {
		return defaultKillGrace
	}
	return time.Duration(s.KillSeconds * float64(time.Second))
}

// run always returns, and the process then exits with 0: the outcome is in the message, not in the exit code.
func run(s settings) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	c := newControl(s)
	err := drive(s, c, signals)
	var message []byte
	if err == nil {
		message, err = finalise(c)
	}
	if err != nil {
		say("%v", err)
		message = lostMessage(s, err)
	}
	// Overwrites anything that the agent, which has ended, may have written there.
	if err := os.WriteFile(s.terminationLog, message, 0o644); err != nil {
		say("cannot write the termination message: %v", err)
	}
}

// drive waits until interception is armed, and runs the agent to its end. An error means that the recorder is lost.
func drive(s settings, c *control, signals <-chan os.Signal) error {
	armed, err := waitArmed(c, signals)
	if err != nil || !armed {
		return err
	}
	environment, err := agentEnvironment(s.taskDir)
	if err != nil {
		return exited(c, ending{code: 127, startError: "task files: " + err.Error()})
	}
	a, err := startAgent(s.command, environment)
	if err != nil {
		return exited(c, ending{code: 127, startError: err.Error()})
	}
	answer, err := c.call(http.MethodPost, "/api/agent/started", nil)
	if err != nil || answer.status != http.StatusOK {
		a.end(0)
		if err != nil {
			return err
		}
		return exited(c, ending{})
	}
	end, err := waitForEnd(a, c, signals)
	if err != nil {
		return err
	}
	return exited(c, end)
}

// ending is what the recorder needs to know about the end of the agent.
type ending struct {
	code int
	// Set if the agent was never started.
	startError string
	// Set after a SIGTERM from outside: the Pod is being deleted, which the agent did not cause.
	terminated bool
}

func waitArmed(c *control, signals <-chan os.Signal) (bool, error) {
	for {
		answer, err := c.call(http.MethodGet, "/api/armed", nil)
		if err != nil || answer.status == http.StatusOK {
			return err == nil, err
		}
		var state struct {
			Ended bool `json:"ended"`
		}
		if json.Unmarshal(answer.body, &state) == nil && state.Ended {
			return false, nil
		}
		select {
		case <-signals:
			return false, nil
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// waitForEnd returns when no process of the agent is left.
func waitForEnd(a *agent, c *control, signals <-chan os.Signal) (ending, error) {
	terminated := false
	stops := make(chan stop, 1)
	lost := make(chan error, 1)
	go pollStop(c, stops, lost)
	select {
	case code := <-a.exited:
		// The command has exited; its background processes get only a short grace period.
		a.end(200 * time.Millisecond)
		return ending{code: code}, nil
	case order := <-stops:
		say("stopping the agent: %s", order.Reason)
		a.end(order.grace())
	case <-signals:
		say("stopping the agent: terminated")
		terminated = true
		a.end(defaultKillGrace)
	case err := <-lost:
		// Fail closed: without a recorder, nothing observes the agent.
		a.end(0)
		return ending{}, err
	}
	select {
	case code := <-a.exited:
		return ending{code: code, terminated: terminated}, nil
	default:
		return ending{code: 137, terminated: terminated}, nil
	}
}

func pollStop(c *control, stops chan<- stop, lost chan<- error) {
	for {
		answer, err := c.call(http.MethodGet, "/api/agent/wait", nil)
		if err != nil {
			lost <- err
			return
		}
		var order stop
		if answer.status == http.StatusOK && json.Unmarshal(answer.body, &order) == nil && order.Stop {
			stops <- order
			return
		}
		if answer.status != http.StatusNoContent {
			time.Sleep(time.Second)
		}
	}
}

func exited(c *control, end ending) error {
	body := map[string]any{"exitCode": end.code}
	if end.startError != "" {
		say("cannot start the agent: %s", end.startError)
		body["startError"] = end.startError
	}
	if end.terminated {
		body["terminated"] = true
	}
	_, err := c.call(http.MethodPost, "/api/agent/exited", body)
	return err
}

// finalise returns when the evidence is stored. The recorder enforces the time limits; this only checks that it responds.
func finalise(c *control) ([]byte, error) {
	answer, err := c.call(http.MethodPost, "/api/finalise", nil)
	if err == nil && (answer.status != http.StatusOK || !json.Valid(answer.body)) {
		err = fmt.Errorf("the recorder responded to finalise with status %d", answer.status)
	}
	return answer.body, err
}

// lostMessage is the outcome if the recorder is lost: the message that the recorder prepared for this case, or, if there
// is none, a minimal one (the operator knows the attempt from the Pod).
func lostMessage(s settings, cause error) []byte {
	if text, err := os.ReadFile(filepath.Join(s.taskDir, "recorder-lost.json")); err == nil && json.Valid(text) {
		return text
	}
	message, _ := json.Marshal(map[string]any{
		"v": 1, "attempt": 0, "outcome": "Infrastructure", "reason": "RecorderRestarted",
		"message":    "The shim could not reach the recorder: " + cause.Error() + ".",
		"stopReason": "unknown", "resultCategory": "infra_failure", "intercepted": false,
		"evidence": "None", "prefix": "",
		"times":     map[string]any{"started": time.Now().UnixMilli(), "armed": nil, "agentStarted": nil, "stopped": nil, "evidenceSafe": nil},
		"counts":    map[string]any{"actions": 0, "requests": 0, "screenshots": 0, "bytes": 0},
		"usage":     map[string]any{"costUSD": nil, "tokens": 0, "apiCalls": 0},
		"isolation": "Namespace", "agentIsolated": false, "claimedByAttempt": nil,
	})
	return message
}

func say(format string, values ...any) {
	fmt.Fprintf(os.Stderr, "clawbench-shim: "+format+"\n", values...)
}
