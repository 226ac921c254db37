package main

import (
	"math"
	"testing"
)

// The colour of ffmpeg's own conversion, within what rounding allows.
func TestConvertsAsBT601InLimitedRange(t *testing.T) {
	for _, colour := range [][3]float64{{0, 0, 0}, {255, 255, 255}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {17, 99, 201}} {
		r, g, b := colour[0], colour[1], colour[2]
		row := make([]byte, 4*4)
		for i := 0; i < 4; i++ {
			row[i*4], row[i*4+1], row[i*4+2], row[i*4+3] = byte(b), byte(g), byte(r), 0xab
		}
		y1, y2, u, v := make([]byte, 4), make([]byte, 4), make([]byte, 2), make([]byte, 2)
		convertRows(row, row, y1, y2, u, v)
		wantY := 16 + (65.481*r+128.553*g+24.966*b)/255
		wantU := 128 + (-37.797*r-74.203*g+112*b)/255
		wantV := 128 + (112*r-93.786*g-18.214*b)/255
		for i, got := range []byte{y1[0], y1[3], y2[2]} {
			near(t, "y", i, got, wantY)
		}
		near(t, "u", 0, u[1], wantU)
		near(t, "v", 0, v[1], wantV)
	}
}

func TestColourIsTheMeanOfFourPixels(t *testing.T) {
	top := []byte{0, 0, 255, 0, 0, 0, 255, 0}
	bottom := []byte{255, 0, 0, 0, 255, 0, 0, 0}
	y1, y2, u, v := make([]byte, 2), make([]byte, 2), make([]byte, 1), make([]byte, 1)
	convertRows(top, bottom, y1, y2, u, v)
	near(t, "u", 0, u[0], 128+(-37.797+112)/2)
	near(t, "v", 0, v[0], 128+(112-18.214)/2)
	if y1[0] == y2[0] {
		t.Errorf("rows of different colours have one luma: %d", y1[0])
	}
}

func near(t *testing.T, plane string, i int, got byte, want float64) {
	t.Helper()
	if math.Abs(float64(got)-want) > 1.5 {
		t.Errorf("%s[%d] = %d, want %.1f", plane, i, got, want)
	}
}
