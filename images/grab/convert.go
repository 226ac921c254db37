package main

import "encoding/binary"

// convertRows turns a pair of rows of BGRx pixels into yuv420p (BT.601, limited range: what ffmpeg makes of a screen).
// Pages mostly have flat areas: a square of four equal pixels that equals the previous one needs no arithmetic.
// All slices must have the length for `len(top)/4` pixels.
func convertRows(top, bottom, yTop, yBottom, u, v []byte) {
	const colour = 0x00ffffff00ffffff
	last := ^uint64(0)
	var luma uint16
	var lastU, lastV byte
	for i, square := 0, 0; i+8 <= len(top); i, square = i+8, square+1 {
		a := binary.LittleEndian.Uint64(top[i:]) & colour
		b := binary.LittleEndian.Uint64(bottom[i:]) & colour
		at := square * 2
		if a == b && a == last {
			binary.LittleEndian.PutUint16(yTop[at:], luma)
			binary.LittleEndian.PutUint16(yBottom[at:], luma)
			u[square], v[square] = lastU, lastV
			continue
		}
		left, right := lumaOf(uint32(a)), lumaOf(uint32(a>>32))
		luma = uint16(left) | uint16(right)<<8
		binary.LittleEndian.PutUint16(yTop[at:], luma)
		if a == b {
			binary.LittleEndian.PutUint16(yBottom[at:], luma)
		} else {
			yBottom[at], yBottom[at+1] = lumaOf(uint32(b)), lumaOf(uint32(b>>32))
		}
		lastU, lastV = chromaOf(a, b)
		u[square], v[square] = lastU, lastV
		last = ^uint64(0)
		if a == b {
			last = a
		}
	}
}

func lumaOf(pixel uint32) byte {
	r, g, b := pixel>>16&0xff, pixel>>8&0xff, pixel&0xff
	return byte((66*r+129*g+25*b+128)>>8 + 16)
}

// chromaOf averages four pixels, with two colours in one word.
func chromaOf(a, b uint64) (byte, byte) {
	const redBlue, green = 0x00ff00ff00ff00ff, 0x0000ff000000ff00
	rb := a&redBlue + b&redBlue
	g := (a&green + b&green) >> 8
	r4 := int32(rb>>16&0xffff + rb>>48)
	b4 := int32(rb&0xffff + rb>>32&0xffff)
	g4 := int32(g&0xffff + g>>32&0xffff)
	u := (-38*r4 - 74*g4 + 112*b4 + 512) >> 10
	v := (112*r4 - 94*g4 - 18*b4 + 512) >> 10
	return byte(u + 128), byte(v + 128)
}
