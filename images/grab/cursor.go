package main

import (
	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xfixes"
)

// cursor is the image of the pointer (premultiplied ARGB) and its position. Grabbed pixels do not include the pointer.
type cursor struct {
	area   rect
	argb   []uint32
	serial uint32
}

func (c *cursor) touches(area rect) bool {
	return c.argb != nil && area.x < c.area.x+c.area.w && c.area.x < area.x+area.w &&
		area.y < c.area.y+c.area.h && c.area.y < area.y+area.h
}

// blend draws the part of the pointer that overlaps a piece of a row.
func (c *cursor) blend(x, y int, row []byte) {
	line := y - c.area.y
	if line < 0 || line >= c.area.h {
		return
	}
	for i := 0; i < len(row)/4; i++ {
		column := x + i - c.area.x
		if column < 0 || column >= c.area.w {
			continue
		}
		over := c.argb[line*c.area.w+column]
		rest := 255 - over>>24
		for channel := 0; channel < 3; channel++ {
			below := uint32(row[i*4+channel])
			row[i*4+channel] = byte(over>>(8*channel)&0xff + (below*rest+127)/255)
		}
	}
}

// cursorNow reads the image and the position of the pointer.
func cursorNow(conn *xgb.Conn) (cursor, error) {
	image, err := xfixes.GetCursorImage(conn).Reply()
	if err != nil {
		return cursor{}, err
	}
	argb := make([]uint32, len(image.CursorImage))
	copy(argb, image.CursorImage)
	area := rect{int(image.X) - int(image.Xhot), int(image.Y) - int(image.Yhot), int(image.Width), int(image.Height)}
	return cursor{area: area, argb: argb, serial: image.CursorSerial}, nil
}
