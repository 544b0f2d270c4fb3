//! The picture of the pointer, painted into a frame.
//!
//! Source: the XFixes protocol, `GetCursorImage`: 32-bit pixels, alpha in the highest byte, colours already
//! multiplied by it.

use super::connection::X11;
use crossmacro_model::frame::BYTES_PER_PIXEL;
use crossmacro_model::{Frame, Logical, Rect};
use crossmacro_platform::{Error, Result};
use x11rb::protocol::xfixes::{self, ConnectionExt as _, GetCursorImageReply};

/// Whether the server tells what the pointer looks like.
pub(super) fn is_offered(x11: &X11) -> Result<bool> {
    if !x11.has(xfixes::X11_EXTENSION_NAME)? {
        return Ok(false);
    }
    // The server refuses every other request of the extension before this one.
    x11.reply("the version of XFixes", x11.conn().xfixes_query_version(4, 0))?;
    Ok(true)
}

/// Paints the pointer where it was when the server was asked. X frames have one pixel a logical unit.
pub(super) fn paint(frame: &mut Frame, cursor: &GetCursorImageReply) -> Result<()> {
    if cursor.cursor_image.len() != usize::from(cursor.width) * usize::from(cursor.height) {
        let why = "its size and its pixels do not agree".into();
        return Err(Error::Malformed { what: "the picture of the pointer", why });
    }
    let place = Rect::<Logical>::new(
        i32::from(cursor.x) - i32::from(cursor.xhot),
        i32::from(cursor.y) - i32::from(cursor.yhot),
        cursor.width.into(),
        cursor.height.into(),
    );
    let region = frame.region();
    let Some(shown) = place.intersection(region) else { return Ok(()) };
    let columns = shown.width as usize;
    let (left, top) = (distance(place.x, shown.x), distance(place.y, shown.y));
    let (to_left, to_top) = (distance(region.x, shown.x), distance(region.y, shown.y));
    let stride = frame.stride();
    let bytes = frame.bytes_mut();
    for row in 0..shown.height as usize {
        let from = (top + row) * usize::from(cursor.width) + left;
        let to = (to_top + row) * stride + to_left * BYTES_PER_PIXEL;
        let under = bytes[to..to + columns * BYTES_PER_PIXEL].chunks_exact_mut(BYTES_PER_PIXEL);
        for (under, &over) in under.zip(&cursor.cursor_image[from..from + columns]) {
            blend(under, over);
        }
    }
    Ok(())
}

fn distance(from: i32, to: i32) -> usize {
    to.abs_diff(from) as usize
}

fn blend(under: &mut [u8], over: u32) {
    let [blue, green, red, alpha] = over.to_le_bytes();
    let rest = u16::from(u8::MAX - alpha);
    for (under, over) in under.iter_mut().zip([blue, green, red]) {
        let seen_through = (u16::from(*under) * rest + 127) / 255;
        *under = over.saturating_add(u8::try_from(seen_through).unwrap_or(u8::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossmacro_model::{Physical, Point, Size};

    fn frame(region: Rect<Logical>) -> Frame {
        let size = Size::<Physical>::new(region.width, region.height);
        let bytes = vec![100; region.width as usize * region.height as usize * 4];
        Frame::new(region, size, region.width as usize * 4, Box::new(bytes)).unwrap()
    }

    fn cursor(x: i16, y: i16, image: Vec<u32>) -> GetCursorImageReply {
        let (width, height, xhot, yhot) = (2, 2, 1, 1);
        GetCursorImageReply { x, y, width, height, xhot, yhot, cursor_image: image, ..Default::default() }
    }

    #[test]
    fn it_is_cut_off_at_the_edges_and_hangs_from_its_hot_spot() {
        let mut frame = frame(Rect::new(10, 10, 3, 3));
        let image = vec![0xff00_0001, 0xff00_0002, 0xff00_0003, 0xff00_0004];
        paint(&mut frame, &cursor(10, 10, image.clone())).unwrap();
        assert_eq!(frame.rgb(Point::new(0, 0)), Some([0, 0, 4]));
        assert_eq!(frame.rgb(Point::new(1, 0)), Some([100; 3]));
        paint(&mut frame, &cursor(13, 12, image)).unwrap();
        assert_eq!(frame.rgb(Point::new(2, 1)), Some([0, 0, 1]));
        assert_eq!(frame.rgb(Point::new(2, 2)), Some([0, 0, 3]));
    }

    #[test]
    fn half_of_it_lets_half_of_the_ground_through() {
        let mut pixel = [100, 100, 100, 0];
        blend(&mut pixel, 0x8000_4080);
        assert_eq!(pixel, [178, 114, 50, 0]);
        blend(&mut pixel, 0x0000_0000);
        assert_eq!(pixel, [178, 114, 50, 0]);
        blend(&mut pixel, 0x00ff_ffff);
        assert_eq!(pixel, [255, 255, 255, 0]);
    }

    #[test]
    fn a_picture_of_the_wrong_size_is_refused() {
        assert!(paint(&mut frame(Rect::new(0, 0, 3, 3)), &cursor(1, 1, vec![0; 3])).is_err());
        assert!(paint(&mut frame(Rect::new(0, 0, 3, 3)), &cursor(i16::MIN, i16::MAX, vec![0; 4])).is_ok());
    }
}
