package main

import (
	"bytes"
	"math/rand"
	"testing"
)

// Whatever order changes come in, the frame is the one that a conversion of the whole screen would give.
func TestMergedFrameIsTheWholeScreensFrame(t *testing.T) {
	const width, height = 322, 150
	random := rand.New(rand.NewSource(1))
	screen := make([]byte, width*height*4)
	p := newPicture(width, height)
	p.merge(rect{0, 0, width, height}, screen)
	p.cursor = cursor{area: rect{60, 50, 9, 9}, argb: make([]uint32, 81), serial: 1}
	for i := range p.cursor.argb {
		p.cursor.argb[i] = 0x80400000
	}
	p.redraw(p.cursor.area)
	for round := 0; round < 200; round++ {
		area := rect{random.Intn(width), random.Intn(height), 1 + random.Intn(90), 1 + random.Intn(40)}.within(width, height)
		grabbed := make([]byte, 0, area.w*area.h*4)
		for y := area.y; y < area.y+area.h; y++ {
			at := (y*width + area.x) * 4
			random.Read(screen[at : at+area.w*4])
			grabbed = append(grabbed, screen[at:at+area.w*4]...)
		}
		if !p.merge(area, grabbed) && len(grabbed) > 0 {
			t.Fatal("new pixels were not noticed")
		}
		if p.merge(area, grabbed) {
			t.Fatal("the same pixels were taken for new ones")
		}
	}
	whole := newPicture(width, height)
	whole.cursor = p.cursor
	whole.merge(rect{0, 0, width, height}, screen)
	if !bytes.Equal(whole.frame, p.frame) {
		t.Fatal("the merged frame differs from the whole one")
	}
}

func TestPointerThatLeftLeavesNoTrace(t *testing.T) {
	p := newPicture(128, 64)
	p.merge(rect{0, 0, 128, 64}, bytes.Repeat([]byte{200, 100, 50, 0}, 128*64))
	before := bytes.Clone(p.frame)
	p.cursor = cursor{area: rect{-3, 20, 8, 8}, argb: bytes32(64, 0xff0000ff), serial: 1}
	p.redraw(p.cursor.area)
	if bytes.Equal(before, p.frame) {
		t.Fatal("the pointer is not drawn")
	}
	left := p.cursor.area
	p.cursor = cursor{}
	p.redraw(left)
	if !bytes.Equal(before, p.frame) {
		t.Fatal("the pointer is still there")
	}
}

func bytes32(n int, value uint32) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = value
	}
	return all
}
