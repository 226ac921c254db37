package main

import "time"

// pace says when the next frame may be taken. What changes now and then is shown at once and smoothly, as at the
// encoder's old 15 frames a second; what never stops moving (a spinner, a carousel) is shown less often, since its
// frames tell no more and each costs the node the same.
type pace struct {
	last time.Time
	// burst is how many frames may still come at the fast rate; it fills up while nothing moves.
	burst float64
}

const (
	fastest = time.Second / 15
	steady  = time.Second / 10
	// bursts last two seconds and are regained in four.
	mostBurst   = 30.0
	regainedIn  = 4 * time.Second
	heartbeat   = time.Second
	pointerLook = 250 * time.Millisecond
)

func newPace(now time.Time) pace { return pace{last: now.Add(-heartbeat), burst: mostBurst} }

// due is the earliest moment of the next frame.
func (p *pace) due() time.Time {
	if p.burst >= 1 {
		return p.last.Add(fastest)
	}
	return p.last.Add(steady)
}

// took notes a frame that shows something new.
func (p *pace) took(now time.Time) {
	quiet := now.Sub(p.last) - steady
	if quiet > 0 {
		p.burst = min(mostBurst, p.burst+mostBurst*float64(quiet)/float64(regainedIn))
	}
	if p.burst >= 1 {
		p.burst--
	}
	p.last = now
}
