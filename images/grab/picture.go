package main

import "bytes"

// tile is the unit of comparison and conversion: 64 pixels of a pair of rows.
const tile = 64

// picture is the screen as last grabbed (`pixels`, packed BGRx) and the same in the encoder's format (`frame`, yuv420p).
type picture struct {
	width, height int
	pixels        []byte
	frame         []byte
	cursor        cursor
	scratch       [2][tile * 4]byte
}

// newPicture returns a black picture. (Zeroes in yuv420p would be green.)
func newPicture(width, height int) *picture {
	p := &picture{width: width, height: height, pixels: make([]byte, width*height*4), frame: make([]byte, width*height*3/2)}
	p.redraw(rect{0, 0, width, height})
	return p
}

// merge adds grabbed pixels of an area. Browsers redraw whole windows although little has changed, so the pixels are
// compared with the previous ones, and only tiles that differ are converted.
// It returns whether the picture has changed.
func (p *picture) merge(area rect, grabbed []byte) bool {
	differs := false
	for row := 0; row < area.h; row += 2 {
		for column := 0; column < area.w; column += tile {
			n := min(tile, area.w-column) * 4
			from := (row*area.w + column) * 4
			top := grabbed[from : from+n]
			bottom := grabbed[from+area.w*4 : from+area.w*4+n]
			if p.take(area.x+column, area.y+row, top, bottom) {
				p.convert(area.x+column, area.y+row, n/4)
				differs = true
			}
		}
	}
	return differs
}

// take copies pieces of a pair of rows if they differ from the previous pixels.
func (p *picture) take(x, y int, top, bottom []byte) bool {
	at := (y*p.width + x) * 4
	oldTop := p.pixels[at : at+len(top)]
	oldBottom := p.pixels[at+p.width*4 : at+p.width*4+len(top)]
	if bytes.Equal(oldTop, top) && bytes.Equal(oldBottom, bottom) {
		return false
	}
	copy(oldTop, top)
	copy(oldBottom, bottom)
	return true
}

// redraw converts an area again, because the pointer has moved into it or out of it.
func (p *picture) redraw(area rect) {
	area = area.within(p.width, p.height)
	for y := area.y; y < area.y+area.h; y += 2 {
		for x := area.x; x < area.x+area.w; x += tile {
			p.convert(x, y, min(tile, area.x+area.w-x))
		}
	}
}

// convert writes up to `tile` pixels of two rows to the frame, with the pointer on top.
func (p *picture) convert(x, y, n int) {
	at := (y*p.width + x) * 4
	top := p.pixels[at : at+n*4]
	bottom := p.pixels[at+p.width*4 : at+p.width*4+n*4]
	if p.cursor.touches(rect{x, y, n, 2}) {
		top = p.scratch[0][:copy(p.scratch[0][:], top)]
		bottom = p.scratch[1][:copy(p.scratch[1][:], bottom)]
		p.cursor.blend(x, y, top)
		p.cursor.blend(x, y+1, bottom)
	}
	luma := y*p.width + x
	u := p.width*p.height + y/2*(p.width/2) + x/2
	v := u + p.width*p.height/4
	convertRows(top, bottom, p.frame[luma:luma+n], p.frame[luma+p.width:luma+p.width+n], p.frame[u:u+n/2], p.frame[v:v+n/2])
}
