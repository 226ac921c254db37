package main

import (
	"errors"
	"os"
	"strconv"
	"time"

	"github.com/jezek/xgb"
)

type recorder struct {
	screen  *screen
	picture *picture
	encoder *encoder
	pace    pace
	// written is when the last frame was written to the encoder, changed or not.
	written time.Time
}

// begin writes the first frame, and its time to the file `started`.
func (r *recorder) begin(started string) error {
	at := time.Now()
	if err := r.write(at); err != nil || started == "" {
		return err
	}
	unfinished := started + ".new"
	if err := os.WriteFile(unfinished, strconv.AppendInt(nil, at.UnixMilli(), 10), 0o644); err != nil {
		return err
	}
	return os.Rename(unfinished, started)
}

// record runs until a signal, or until the connection to the screen or the encoder is lost.
func (r *recorder) record(stop <-chan os.Signal) error {
	drawn := r.notices()
	timer := time.NewTimer(0)
	pending := false
	for {
		select {
		case <-stop:
			return r.last()
		case _, alive := <-drawn:
			if !alive {
				return errors.New("the connection to the X server was closed")
			}
			pending = true
		case <-timer.C:
			var err error
			if pending, err = r.tick(time.Now(), pending); err != nil {
				return err
			}
		}
		timer.Reset(time.Until(r.wake(pending)))
	}
}

// wake is the time of the next tick.
func (r *recorder) wake(pending bool) time.Time {
	if pending {
		return r.pace.due()
	}
	return time.Now().Add(pointerLook)
}

// tick writes a frame if the screen has changed, or if the last frame is a heartbeat ago, which the fragments of the file
// need. It returns whether a change is still pending.
func (r *recorder) tick(now time.Time, pending bool) (bool, error) {
	if pending && now.Before(r.pace.due()) {
		return true, nil
	}
	area, err := rect{}, error(nil)
	if pending {
		if area, err = r.screen.changed(); err != nil {
			return false, err
		}
	}
	differs, err := r.look(area)
	if err != nil {
		return false, err
	}
	if differs {
		r.pace.took(now)
		return false, r.write(now)
	}
	if now.Sub(r.written) >= heartbeat {
		return false, r.write(now)
	}
	return false, nil
}

// look updates an area and the pointer, and returns whether the picture has changed.
func (r *recorder) look(area rect) (bool, error) {
	pointer, err := cursorNow(r.screen.conn)
	if err != nil {
		return false, err
	}
	differs := r.point(pointer)
	if area.w == 0 {
		return differs, nil
	}
	if err := r.screen.grab(area); err != nil {
		return false, err
	}
	return r.picture.merge(area, r.screen.shared) || differs, nil
}

func (r *recorder) point(pointer cursor) bool {
	before := r.picture.cursor
	if before.serial == pointer.serial && before.area == pointer.area {
		return false
	}
	r.picture.cursor = pointer
	r.picture.redraw(before.area)
	r.picture.redraw(pointer.area)
	return true
}

// last writes the final screen, so that the file ends when the recording did.
func (r *recorder) last() error {
	if _, err := r.look(rect{0, 0, r.screen.width, r.screen.height}); err != nil {
		return err
	}
	return r.write(time.Now())
}

func (r *recorder) write(at time.Time) error {
	r.written = at
	_, err := r.encoder.stdin.Write(r.picture.frame)
	return err
}

// notices signals that something was drawn. Several signals before the next look are combined into one.
func (r *recorder) notices() <-chan struct{} {
	drawn := make(chan struct{}, 1)
	drawn <- struct{}{}
	go func() {
		defer close(drawn)
		for {
			event, failure := r.screen.conn.WaitForEvent()
			if event == nil && failure == nil {
				return
			}
			if failure != nil {
				continue
			}
			offer(drawn, event)
		}
	}()
	return drawn
}

func offer(drawn chan<- struct{}, _ xgb.Event) {
	select {
	case drawn <- struct{}{}:
	default:
	}
}
