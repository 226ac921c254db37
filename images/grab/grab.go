// clawbench-grab records a screen and uses CPU time only when pixels change.
//
// `ffmpeg -f x11grab` grabs, converts and encodes the whole screen at a fixed rate, which takes 2.7 CPU seconds per 10 s
// whether the page changes or not. This program asks the X server which area was drawn (DAMAGE), reads only that area
// through shared memory, converts the tiles that differ and passes a frame to the encoder if there is a change. The time
// stamp of a frame is the time when it was written, so the video plays in real time.
//
//	clawbench-grab --probe                      exits with 0 if this screen can be recorded
//	clawbench-grab [--started FILE] -- ENCODER… writes frames to the encoder's stdin until SIGINT or SIGTERM
//
// WIDTHxHEIGHT in the arguments of the encoder is replaced by the size of a frame.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/jezek/xgb"
)

func main() {
	probe := flag.Bool("probe", false, "only check whether the screen can be recorded")
	started := flag.String("started", "", "file for the time of the first frame in milliseconds since the epoch")
	flag.Parse()
	// The library logs missing authority files, which Xvfb does not use.
	xgb.Logger.SetOutput(nowhere{})
	code, err := run(*probe, *started, flag.Args())
	if err != nil {
		fmt.Fprintf(os.Stderr, "clawbench-grab: %v\n", err)
	}
	os.Exit(code)
}

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }

func run(probe bool, started string, command []string) (int, error) {
	s, err := openScreen()
	if err != nil {
		return 1, err
	}
	r := &recorder{screen: s, picture: newPicture(s.width, s.height), pace: newPace(time.Now())}
	if _, err := r.look(rect{0, 0, s.width, s.height}); err != nil || probe {
		return code(err), err
	}
	for i, argument := range command {
		command[i] = strings.ReplaceAll(argument, "WIDTHxHEIGHT", fmt.Sprintf("%dx%d", s.width, s.height))
	}
	if r.encoder, err = startEncoder(command); err != nil {
		return 1, err
	}
	if err := r.begin(started); err != nil {
		return 1, err
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	lost := r.record(stop)
	ended, err := r.encoder.end()
	if lost != nil {
		return max(ended, 1), lost
	}
	return ended, err
}

func code(err error) int {
	if err != nil {
		return 1
	}
	return 0
}
