package main

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	now := time.Unix(0, 0)
	p := newPace(now)
	frames := func(length time.Duration) int {
		count := 0
		for end := now.Add(length); now.Before(end); now = now.Add(time.Millisecond) {
			if !now.Before(p.due()) {
				p.took(now)
				count++
			}
		}
		return count
	}
	if n := frames(2 * time.Second); n < 29 || n > 31 {
		t.Errorf("%d frames in the first two seconds, want 30", n)
	}
	if n := frames(10 * time.Second); n < 98 || n > 103 {
		t.Errorf("%d frames in ten seconds of lasting motion, want 100", n)
	}
	now = now.Add(5 * time.Second)
	if n := frames(2 * time.Second); n < 29 {
		t.Errorf("%d frames after a rest, want 30", n)
	}
}
