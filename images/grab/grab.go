// clawbench-grab records a screen and costs the processor something only when pixels change.
//
// `ffmpeg -f x11grab` takes, converts and encodes the whole screen at a fixed rate: 2.7 CPU seconds per 10 s of a page
// that shows nothing new, as much as of one that does. This program asks the X server what was drawn (DAMAGE), takes
// that area alone through shared memory, converts the tiles that differ and hands a frame to the encoder when there is
// something to see; the time stamps of a frame are the moments it was written, so the player shows true time.
//
//	clawbench-grab --probe                      exit 0: this screen can be recorded so
//	clawbench-grab [--started FILE] -- ENCODER… frames to the encoder's stdin until SIGINT or SIGTERM
//
// Arguments of the encoder that are WIDTHxHEIGHT stand for the size of a frame.
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
	probe := flag.Bool("probe", false, "only look whether the screen can be recorded")
	started := flag.String("started", "", "file that gets the time of the first frame, milliseconds since the epoch")
	flag.Parse()
	// The library tells of missing authority files, which Xvfb does not use.
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
