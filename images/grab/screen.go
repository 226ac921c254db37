package main

import (
	"fmt"
	"syscall"
	"unsafe"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/damage"
	"github.com/jezek/xgb/shm"
	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
)

// rect is in pixels of the screen.
type rect struct{ x, y, w, h int }

// screen is the root window: its changes since the last look, its pixels in shared memory, and its pointer.
type screen struct {
	conn          *xgb.Conn
	root          xproto.Window
	width, height int
	damage        damage.Damage
	parts         xfixes.Region
	segment       shm.Seg
	// shared holds the pixels of the last grab, packed, 4 bytes each (B, G, R, unused).
	shared []byte
}

// IPC constants of the kernel that package syscall does not define.
const (
	ipcPrivate = 0
	ipcRmid    = 0
)

// openScreen requires an X server with DAMAGE, XFIXES and MIT-SHM and 32 bits per pixel, as Xvfb has them.
func openScreen() (*screen, error) {
	conn, err := xgb.NewConn()
	if err != nil {
		return nil, err
	}
	if err := initExtensions(conn); err != nil {
		return nil, err
	}
	info := xproto.Setup(conn).DefaultScreen(conn)
	if info.RootDepth != 24 {
		return nil, fmt.Errorf("the screen has a depth of %d instead of 24", info.RootDepth)
	}
	s := &screen{conn: conn, root: info.Root, width: int(info.WidthInPixels) &^ 1, height: int(info.HeightInPixels) &^ 1}
	if err := s.share(); err != nil {
		return nil, err
	}
	return s, s.watch()
}

func initExtensions(conn *xgb.Conn) error {
	for name, start := range map[string]func(*xgb.Conn) error{"DAMAGE": damage.Init, "XFIXES": xfixes.Init, "MIT-SHM": shm.Init} {
		if err := start(conn); err != nil {
			return fmt.Errorf("extension %s: %w", name, err)
		}
	}
	if _, err := xfixes.QueryVersion(conn, 4, 0).Reply(); err != nil {
		return err
	}
	_, err := damage.QueryVersion(conn, 1, 1).Reply()
	return err
}

// share attaches a shared memory segment for the pixels. It is marked for removal immediately, so that none is left behind.
func (s *screen) share() error {
	size := s.width * s.height * 4
	id, _, errno := syscall.Syscall(syscall.SYS_SHMGET, ipcPrivate, uintptr(size), 0o600)
	if errno != 0 {
		return fmt.Errorf("shmget: %w", errno)
	}
	address, _, errno := syscall.Syscall(syscall.SYS_SHMAT, id, 0, 0)
	if errno != 0 {
		return fmt.Errorf("shmat: %w", errno)
	}
	segment, err := shm.NewSegId(s.conn)
	if err == nil {
		err = shm.AttachChecked(s.conn, segment, uint32(id), false).Check()
	}
	syscall.Syscall(syscall.SYS_SHMCTL, id, ipcRmid, 0)
	// The double pointer avoids a vet warning about an address that is not managed by the garbage collector.
	s.segment, s.shared = segment, unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size)
	return err
}

// watch requests a notification when something changes; the next one follows only after a call of `changed`.
func (s *screen) watch() error {
	watched, err := damage.NewDamageId(s.conn)
	if err != nil {
		return err
	}
	s.damage = watched
	if err := damage.CreateChecked(s.conn, watched, xproto.Drawable(s.root), damage.ReportLevelNonEmpty).Check(); err != nil {
		return err
	}
	if s.parts, err = xfixes.NewRegionId(s.conn); err != nil {
		return err
	}
	return xfixes.CreateRegionChecked(s.conn, s.parts, nil).Check()
}

// changed returns the bounding box of what was drawn since the last call; empty if nothing was.
func (s *screen) changed() (rect, error) {
	damage.Subtract(s.conn, s.damage, 0, s.parts)
	region, err := xfixes.FetchRegion(s.conn, s.parts).Reply()
	if err != nil {
		return rect{}, err
	}
	box := region.Extents
	return rect{int(box.X), int(box.Y), int(box.Width), int(box.Height)}.within(s.width, s.height), nil
}

// grab reads the pixels of an area into `shared`.
func (s *screen) grab(area rect) error {
	_, err := shm.GetImage(s.conn, xproto.Drawable(s.root), int16(area.x), int16(area.y), uint16(area.w), uint16(area.h),
		0xffffffff, xproto.ImageFormatZPixmap, s.segment, 0).Reply()
	return err
}

// within clips to the screen and extends to even coordinates, since two rows and columns share a colour in yuv420p.
func (r rect) within(width, height int) rect {
	x0, y0 := max(r.x, 0)&^1, max(r.y, 0)&^1
	x1, y1 := min(r.x+r.w+1, width)&^1, min(r.y+r.h+1, height)&^1
	if r.w <= 0 || r.h <= 0 || x1 <= x0 || y1 <= y0 {
		return rect{}
	}
	return rect{x0, y0, x1 - x0, y1 - y0}
}
