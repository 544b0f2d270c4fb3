//! Captures, compared with what a second connection painted and with what another program captured.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, starts programs, and has a limit of its own on every wait"
)]

mod x11;

use crossmacro_model::{Frame, Logical, Point, Rect};
use crossmacro_platform::{Capture, CaptureRequest, Error};
use std::sync::Arc;
use x11::{Server, Witness};
use x11rb::connection::Connection as _;
use x11rb::protocol::shm::ConnectionExt as _;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt as _, CreateGCAux, Rectangle};

fn capture(server: &Server) -> Arc<dyn Capture> {
    server.desktop().capture.as_ref().unwrap().clone()
}

fn whole(capture: &dyn Capture) -> Frame {
    capture.capture(CaptureRequest::default()).unwrap()
}

fn part(capture: &dyn Capture, region: Rect<Logical>) -> Result<Frame, Error> {
    capture.capture(CaptureRequest { region: Some(region), include_cursor: false })
}

/// Paints squares of many colours; gives back the middle of each and what the screen shows there.
fn mosaic(witness: &Witness) -> Vec<((i32, i32), [u8; 3])> {
    let mut shown = vec![((0, 0), witness.paint((0, 0, 200, 150), [0, 0, 0]))];
    for n in 0..48_u8 {
        let (column, row) = (i16::from(n % 8), i16::from(n / 8));
        let rgb = [n.wrapping_mul(37), n.wrapping_mul(91).wrapping_add(13), 255 - n.wrapping_mul(5)];
        let rgb = witness.paint((column * 20 + 3, row * 20 + 3, 15, 15), rgb);
        shown.push(((i32::from(column) * 20 + 10, i32::from(row) * 20 + 10), rgb));
    }
    shown
}

/// Every pixel of the frame, as red, green and blue.
fn pixels(frame: &Frame) -> Vec<u8> {
    let rows = (0..frame.size().height).flat_map(|y| frame.row(y).unwrap().chunks_exact(4));
    rows.flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]).collect()
}

fn assert_true_colours(arguments: &[&str], backend: &str) {
    let server = Server::start(arguments);
    let (capture, witness) = (capture(&server), server.witness());
    assert_eq!(capture.backend(), backend, "{arguments:?}");
    let shown = mosaic(&witness);
    let frame = whole(&*capture);
    for ((x, y), rgb) in &shown {
        assert_eq!(frame.rgb(Point::new(*x, *y)), Some(*rgb), "{arguments:?} at {x},{y}");
    }
    // A width that no row padding divides.
    let region = part(&*capture, Rect::new(21, 41, 3, 7)).unwrap();
    for (x, y) in [(0, 0), (2, 0), (0, 6), (2, 6)] {
        assert_eq!(region.rgb(Point::new(x, y)), frame.rgb(Point::new(21 + x, 41 + y)), "{arguments:?}");
    }
    let imported = server.bytes("import", &["-silent", "-window", "root", "-depth", "8", "rgb:-"]);
    // Channels of 5, 6 or 10 bits: that program rounds to 8 where the server's own table (above) cuts off.
    let rounding = u8::from(!matches!(witness.screen().root_depth, 8 | 24));
    let seen = pixels(&frame);
    assert_eq!(seen.len(), imported.len());
    let worst = seen.iter().zip(&imported).map(|(ours, theirs)| ours.abs_diff(*theirs)).max();
    assert!(worst <= Some(rounding), "{arguments:?}: another program sees other pixels, by {worst:?}");
}

#[test]
fn the_usual_screen() {
    assert_true_colours(&["-screen", "0", "203x151x24"], "x11-shm");
}

#[test]
fn the_usual_screen_without_shared_memory() {
    assert_true_colours(&["-screen", "0", "203x151x24", "-extension", "MIT-SHM"], "x11-getimage");
}

#[test]
fn sixteen_bits() {
    assert_true_colours(&["-screen", "0", "203x151x16"], "x11-shm");
    assert_true_colours(&["-screen", "0", "203x151x16", "-extension", "MIT-SHM"], "x11-getimage");
}

#[test]
fn fifteen_bits() {
    assert_true_colours(&["-screen", "0", "203x151x15"], "x11-shm");
}

#[test]
fn thirty_bits() {
    assert_true_colours(&["-screen", "0", "203x151x30"], "x11-shm");
    assert_true_colours(&["-screen", "0", "203x151x30", "-extension", "MIT-SHM"], "x11-getimage");
}

#[test]
fn eight_bits_with_a_colour_table() {
    assert_true_colours(&["-screen", "0", "203x151x8"], "x11-shm");
}

#[test]
fn other_image_formats_beside_that_of_the_screen() {
    assert_true_colours(
        &["-screen", "0", "203x151x24", "-pixdepths", "1", "4", "8", "16", "30", "32"],
        "x11-shm",
    );
}

#[test]
fn a_screen_larger_than_one_band() {
    // 3000 rows of 8 KB: several bands, the last one not full.
    let server = Server::start(&["-screen", "0", "2000x3001x24", "-extension", "MIT-SHM"]);
    let (capture, witness) = (capture(&server), server.witness());
    for row in 0..30_i16 {
        witness.paint((0, row * 100, 2000, 100), [u8::try_from(row * 8).unwrap(), 7, 9]);
    }
    let frame = whole(&*capture);
    for row in 0..30 {
        let red = u8::try_from(row * 8).unwrap();
        assert_eq!(frame.rgb(Point::new(1999, row * 100)), Some([red, 7, 9]));
        assert_eq!(frame.rgb(Point::new(0, row * 100 + 99)), Some([red, 7, 9]));
    }
    assert_eq!(frame.row(3000).unwrap().len(), 8000);
}

#[test]
fn regions_are_clipped_to_the_desktop() {
    let server = Server::screen("200x150x24");
    let (capture, witness) = (capture(&server), server.witness());
    mosaic(&witness);
    let all = whole(&*capture);
    for (asked, shown) in [
        (Rect::new(-10, -10, 30, 30), Rect::new(0, 0, 20, 20)),
        (Rect::new(190, 140, 1000, 1000), Rect::new(190, 140, 10, 10)),
        (Rect::new(199, 149, 1, 1), Rect::new(199, 149, 1, 1)),
        (Rect::new(i32::MIN, i32::MIN, u32::MAX, u32::MAX), Rect::new(0, 0, 200, 150)),
    ] {
        let frame = part(&*capture, asked).unwrap();
        assert_eq!(frame.region(), shown);
        assert_eq!(frame.rgb(Point::new(0, 0)), all.rgb(Point::new(shown.x, shown.y)));
        assert!(frame.voids().is_empty());
    }
    for outside in [
        Rect::new(200, 0, 10, 10),
        Rect::new(-10, 0, 10, 10),
        Rect::new(5, 5, 0, 10),
        Rect::new(i32::MAX, i32::MAX, u32::MAX, u32::MAX),
    ] {
        let error = part(&*capture, outside).unwrap_err();
        let Error::OutOfBounds { region, desktop } = error else { panic!("{error}") };
        assert_eq!((region, desktop), (outside, Rect::new(0, 0, 200, 150)));
    }
}

#[test]
fn a_region_is_all_that_the_server_sends() {
    // The kernel knows how much of the shared memory the server has ever written to.
    let server = Server::start(&["-screen", "0", "1920x1080x24"]);
    let capture = capture(&server);
    let written = || {
        let maps = std::fs::read_to_string(format!("/proc/{}/smaps", server.child.id())).unwrap();
        let (_, mapping) = maps.split_once("crossmacro-capture").unwrap();
        let resident = mapping.lines().find(|line| line.starts_with("Rss:")).unwrap();
        resident.split_whitespace().nth(1).unwrap().parse::<u32>().unwrap()
    };
    let frame = part(&*capture, Rect::new(100, 100, 10, 10)).unwrap();
    assert_eq!((frame.bytes().len(), frame.stride()), (400, 40));
    assert!(written() <= 64, "{} KB for a picture of 400 bytes", written());
    drop(frame);
    whole(&*capture);
    assert!(written() >= 8000);
}

#[test]
fn frames_keep_their_pixels_while_others_are_captured() {
    let server = Server::screen("200x150x24");
    let (capture, witness) = (capture(&server), server.witness());
    let frames: Vec<_> = (1..=6_u8)
        .map(|n| {
            witness.paint((0, 0, 200, 150), [n, 0, 0]);
            whole(&*capture)
        })
        .collect();
    for (n, frame) in (1..=6_u8).zip(&frames) {
        assert!(pixels(frame).chunks_exact(3).all(|pixel| pixel == [n, 0, 0]), "frame {n} changed");
    }
    drop(frames);
    witness.paint((0, 0, 200, 150), [99, 0, 0]);
    assert_eq!(whole(&*capture).rgb(Point::new(5, 5)), Some([99, 0, 0]));
}

#[test]
fn threads_capture_side_by_side() {
    let server = Server::screen("200x150x24");
    let (capture, witness) = (capture(&server), server.witness());
    let shown = mosaic(&witness);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let frame = whole(&*capture);
                    assert!(shown.iter().all(|((x, y), rgb)| frame.rgb(Point::new(*x, *y)) == Some(*rgb)));
                }
            });
        }
    });
}

#[test]
fn painting_on_a_frame_reaches_neither_the_screen_nor_the_next_capture() {
    let server = Server::screen("200x150x24");
    let (capture, witness) = (capture(&server), server.witness());
    witness.paint((0, 0, 200, 150), [1, 2, 3]);
    let mut frame = whole(&*capture);
    frame.fill(Rect::new(0, 0, 200, 150), [200, 0, 0]);
    drop(frame);
    assert_eq!(whole(&*capture).rgb(Point::new(7, 7)), Some([1, 2, 3]));
}

/// Gives the root window a pointer that is a red square with its hot spot in the middle.
fn red_square(witness: &Witness) {
    let conn = &witness.conn;
    let [shape, gc, cursor] = [(); 3].map(|()| conn.generate_id().unwrap());
    conn.create_pixmap(1, shape, witness.root, 8, 8).unwrap();
    conn.create_gc(gc, shape, &CreateGCAux::new().foreground(1)).unwrap();
    conn.poly_fill_rectangle(shape, gc, &[Rectangle { x: 0, y: 0, width: 8, height: 8 }]).unwrap();
    conn.create_cursor(cursor, shape, shape, 0xffff, 0, 0, 0, 0, 0, 4, 4).unwrap();
    let aux = ChangeWindowAttributesAux::new().cursor(cursor);
    conn.change_window_attributes(witness.root, &aux).unwrap().check().unwrap();
}

#[test]
fn the_pointer_is_painted_where_it_is_and_only_when_asked() {
    for depth in ["200x150x24", "200x150x16"] {
        let server = Server::screen(depth);
        let (capture, witness) = (capture(&server), server.witness());
        witness.paint((0, 0, 200, 150), [0, 0, 255]);
        red_square(&witness);
        witness.conn.warp_pointer(x11rb::NONE, witness.root, 0, 0, 0, 0, 50, 60).unwrap().check().unwrap();
        let region = Rect::new(40, 50, 30, 30);
        let request = CaptureRequest { region: Some(region), include_cursor: true };
        let with = capture.capture(request).unwrap();
        let red = |frame: &Frame| pixels(frame).chunks_exact(3).filter(|pixel| pixel == &[255, 0, 0]).count();
        assert_eq!(red(&with), 64);
        for inside in [(6, 6), (13, 6), (6, 13), (13, 13)] {
            assert_eq!(with.rgb(Point::new(inside.0, inside.1)), Some([255, 0, 0]));
        }
        for outside in [(5, 6), (14, 13), (13, 14)] {
            assert_eq!(with.rgb(Point::new(outside.0, outside.1)), Some([0, 0, 255]));
        }
        assert_eq!(red(&part(&*capture, region).unwrap()), 0);
        // Cut off by the corner of the screen.
        witness.conn.warp_pointer(x11rb::NONE, witness.root, 0, 0, 0, 0, 0, 0).unwrap().check().unwrap();
        let corner = capture.capture(CaptureRequest { region: None, include_cursor: true }).unwrap();
        assert_eq!(red(&corner), 16);
    }
}

#[test]
fn without_xfixes_the_pointer_is_refused_and_the_picture_is_not() {
    let server = Server::start(&["-screen", "0", "200x150x24", "-extension", "XFIXES"]);
    let capture = capture(&server);
    let request = CaptureRequest { region: None, include_cursor: true };
    assert!(matches!(capture.capture(request), Err(Error::Unsupported { .. })));
    whole(&*capture);
}

#[test]
fn segments_are_detached_at_the_server_when_they_are_given_up() {
    // The witness can see it from the outside only: the server's memory map names the files.
    let server = Server::screen("200x150x24");
    let capture = capture(&server);
    let mapped = || {
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", server.child.id())).unwrap();
        maps.lines().filter(|line| line.contains("crossmacro-capture")).count()
    };
    let frames: Vec<_> = (0..5).map(|_| whole(&*capture)).collect();
    assert_eq!(mapped(), 5);
    drop(frames);
    whole(&*capture);
    assert_eq!(mapped(), 2);
    // The server has no trouble with a client that shares memory and leaves.
    drop(capture);
    x11::until("the end of the connection", || (mapped() == 0).then_some(()));
    server.witness().conn.shm_query_version().unwrap().reply().unwrap();
}
