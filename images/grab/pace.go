package main

import "time"

// pace limits the frame rate. Occasional changes are recorded at 15 frames per second. What never stops moving (a spinner,
// a carousel) is recorded at a lower rate, since each frame costs the same and adds no information.
type pace struct {
	last time.Time
	// burst is the number of frames that may still be taken at the fast rate; it refills while nothing moves.
	burst float64
}

const (
	fastest = time.Second / 15
	steady  = time.Second / 10
	// Bursts last two seconds and refill in four.
	mostBurst   = 30.0
	regainedIn  = 4 * time.Second
	heartbeat   = time.Second
	pointerLook = 250 * time.Millisecond
)

func newPace(now time.Time) pace { return pace{last: now.Add(-heartbeat), burst: mostBurst} }

// due is the earliest time of the next frame.
func (p *pace) due() time.Time {
	if p.burst >= 1 {
		return p.last.Add(fastest)
	}
	return p.last.Add(steady)
}

// took records that a frame with changes was taken.
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
