//! What the pixels of the root window look like in an image, and how they become blue, green, red, padding.
//!
//! The usual screen (32 bits a pixel, low byte first, blue in the lowest byte) has the layout of a frame
//! already and is not converted. Everything else is: 8 bits with a colour table, 15 and 16 bits, packed 24
//! bits, 30 bits, any channel masks and both byte orders.
//!
//! A `DirectColor` visual is read like `TrueColor`: its per-channel tables are a gamma curve for the monitor.
//!
//! Source: the X protocol, "Connection Setup" and "Image format".

use super::connection::X11;
use crossmacro_model::frame::BYTES_PER_PIXEL;
use crossmacro_platform::Result;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, ImageOrder, VisualClass, Visualtype};

/// The image format of the root window.
pub(super) struct Format {
    bits: u8,
    pad: u8,
    order: ImageOrder,
    colors: Colors,
}

enum Colors {
    Channels([Channel; 3]),
    /// Number of entries of the colour table, which any program may change at any time.
    Indexed(u16),
}

/// One of blue, green and red in a pixel value.
struct Channel {
    mask: u32,
    shift: u32,
    /// The eight-bit value of each value of the channel.
    levels: Vec<u8>,
}

/// Values of a channel that are told apart; no hardware has more than 16 bits.
const LEVELS: u32 = 1 << 16;

impl Channel {
    fn new(mask: u32) -> Option<Self> {
        let mut shift = mask.trailing_zeros();
        let mut max = mask.checked_shr(shift)?;
        while max >= LEVELS {
            max >>= 1;
            shift += 1;
        }
        // As the server itself expands a value to the 16 bits of `QueryColors`; the upper eight are ours.
        let level = |value: u32| u8::try_from((u64::from(value) * 0xffff / u64::from(max)) >> 8);
        let levels = (0..=max).map(|value| level(value).unwrap_or(u8::MAX)).collect();
        Some(Self { mask, shift, levels })
    }

    fn level(&self, pixel: u32) -> u8 {
        self.levels.get(((pixel & self.mask) >> self.shift) as usize).copied().unwrap_or_default()
    }
}

impl Format {
    /// The format of the root window, or why it can't be read.
    pub(super) fn of(x11: &X11) -> Result<Self, String> {
        let (setup, screen) = (x11.conn().setup(), x11.screen());
        let depth = screen.root_depth;
        let format = setup.pixmap_formats.iter().find(|format| format.depth == depth);
        let format = format.ok_or_else(|| format!("the server names no image format for depth {depth}"))?;
        let visual = screen.allowed_depths.iter().flat_map(|depth| &depth.visuals);
        let visual = visual.into_iter().find(|visual| visual.visual_id == screen.root_visual);
        let visual = visual.ok_or("the server does not describe the visual of its root window")?;
        Self::new(format.bits_per_pixel, format.scanline_pad, setup.image_byte_order, visual)
    }

    fn new(bits: u8, pad: u8, order: ImageOrder, visual: &Visualtype) -> Result<Self, String> {
        if !matches!(bits, 8 | 16 | 24 | 32) || !matches!(pad, 8 | 16 | 32) {
            return Err(format!("images of {bits} bits a pixel in rows of {pad} bits are not supported"));
        }
        let colors = match visual.class {
            VisualClass::TRUE_COLOR | VisualClass::DIRECT_COLOR => {
                let channel = |mask| Channel::new(mask).ok_or("the root window lacks a colour channel");
                let (blue, green, red) = (visual.blue_mask, visual.green_mask, visual.red_mask);
                Colors::Channels([channel(blue)?, channel(green)?, channel(red)?])
            }
            _ => Colors::Indexed(visual.colormap_entries.min(256)),
        };
        Ok(Self { bits, pad, order, colors })
    }

    /// Bytes of one row of an image.
    pub(super) fn stride(&self, width: u32) -> usize {
        let pad = usize::from(self.pad);
        (width as usize * usize::from(self.bits)).div_ceil(pad) * pad / 8
    }

    /// Whether images are frames as they come.
    pub(super) fn is_native(&self) -> bool {
        let Colors::Channels(channels) = &self.colors else { return false };
        let bytes = if self.order == ImageOrder::LSB_FIRST { [0, 8, 16] } else { [24, 16, 8] };
        self.bits == 32 && channels.iter().zip(bytes).all(|(channel, at)| channel.mask == 0xff << at)
    }

    /// The colour table as it is now; empty where pixels hold their colour.
    pub(super) fn palette(&self, x11: &X11) -> Result<Vec<[u8; BYTES_PER_PIXEL]>> {
        let Colors::Indexed(entries) = self.colors else { return Ok(Vec::new()) };
        let pixels: Vec<_> = (0..u32::from(entries)).collect();
        let colormap = x11.screen().default_colormap;
        let reply = x11.reply("the colour table", x11.conn().query_colors(colormap, &pixels))?;
        let high = |value: u16| value.to_be_bytes()[0];
        Ok(reply
            .colors
            .iter()
            .map(|color| [high(color.blue), high(color.green), high(color.red), 0])
            .collect())
    }

    /// An image of `width` columns as rows of blue, green, red, padding.
    pub(super) fn convert(&self, image: &[u8], width: u32, palette: &[[u8; BYTES_PER_PIXEL]]) -> Vec<u8> {
        let color = |pixel: u32| match &self.colors {
            Colors::Channels(channels) => {
                let [blue, green, red] = channels.each_ref().map(|channel| channel.level(pixel));
                [blue, green, red, 0]
            }
            Colors::Indexed(_) => palette.get(pixel as usize).copied().unwrap_or_default(),
        };
        match (self.bits, self.order == ImageOrder::LSB_FIRST) {
            (8, _) => self.rows(image, width, |&[byte]| color(byte.into())),
            (16, true) => self.rows(image, width, |&bytes| color(u16::from_le_bytes(bytes).into())),
            (16, false) => self.rows(image, width, |&bytes| color(u16::from_be_bytes(bytes).into())),
            (24, true) => self.rows(image, width, |&[a, b, c]| color(u32::from_le_bytes([a, b, c, 0]))),
            (24, false) => self.rows(image, width, |&[a, b, c]| color(u32::from_be_bytes([0, a, b, c]))),
            (_, true) => self.rows(image, width, |&bytes| color(u32::from_le_bytes(bytes))),
            (_, false) => self.rows(image, width, |&bytes| color(u32::from_be_bytes(bytes))),
        }
    }

    fn rows<const N: usize>(
        &self,
        image: &[u8],
        width: u32,
        color: impl Fn(&[u8; N]) -> [u8; BYTES_PER_PIXEL],
    ) -> Vec<u8> {
        let stride = self.stride(width).max(1);
        let mut out = Vec::with_capacity(image.len() / stride * width as usize * BYTES_PER_PIXEL);
        for row in image.chunks_exact(stride) {
            let (pixels, _padding) = row.as_chunks::<N>();
            for pixel in pixels.iter().take(width as usize) {
                out.extend_from_slice(&color(pixel));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(bits: u8, pad: u8, order: ImageOrder, [red, green, blue]: [u32; 3]) -> Format {
        let visual = Visualtype {
            class: VisualClass::TRUE_COLOR,
            red_mask: red,
            green_mask: green,
            blue_mask: blue,
            ..Visualtype::default()
        };
        Format::new(bits, pad, order, &visual).unwrap()
    }

    const RGB888: [u32; 3] = [0xff_0000, 0xff00, 0xff];

    #[test]
    fn only_the_layout_of_a_frame_is_handed_on_as_it_is() {
        assert!(format(32, 32, ImageOrder::LSB_FIRST, RGB888).is_native());
        assert!(format(32, 32, ImageOrder::MSB_FIRST, [0xff00, 0xff_0000, 0xff00_0000]).is_native());
        assert!(!format(32, 32, ImageOrder::MSB_FIRST, RGB888).is_native());
        assert!(!format(32, 32, ImageOrder::LSB_FIRST, [0xff, 0xff00, 0xff_0000]).is_native());
        assert!(!format(24, 32, ImageOrder::LSB_FIRST, RGB888).is_native());
        assert!(!format(32, 32, ImageOrder::LSB_FIRST, [0x3ff0_0000, 0xf_fc00, 0x3ff]).is_native());
    }

    #[test]
    fn packed_rows_end_in_padding_that_is_no_pixel() {
        let packed = format(24, 32, ImageOrder::LSB_FIRST, RGB888);
        assert_eq!(packed.stride(3), 12);
        let image = [1, 2, 3, 4, 5, 6, 7, 8, 9, 99, 99, 99, 10, 11, 12, 13, 14, 15, 16, 17, 18, 99, 99, 99];
        let expected = [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 0, 13, 14, 15, 0, 16, 17, 18, 0];
        assert_eq!(packed.convert(&image, 3, &[]), expected);
        let swapped = format(24, 32, ImageOrder::MSB_FIRST, RGB888);
        assert_eq!(swapped.convert(&image, 3, &[])[..8], [3, 2, 1, 0, 6, 5, 4, 0]);
    }

    #[test]
    fn both_byte_orders_give_the_same_colours() {
        let masks = [0xf800, 0x7e0, 0x1f];
        let (low, high) =
            (format(16, 16, ImageOrder::LSB_FIRST, masks), format(16, 16, ImageOrder::MSB_FIRST, masks));
        for pixel in [0_u16, 0xf800, 0x7e0, 0x1f, 0xffff, 0x1234] {
            assert_eq!(low.convert(&pixel.to_le_bytes(), 1, &[]), high.convert(&pixel.to_be_bytes(), 1, &[]));
        }
        assert_eq!(low.convert(&0xf81f_u16.to_le_bytes(), 1, &[]), [255, 0, 255, 0]);
    }

    #[test]
    fn ten_bits_give_back_the_eight_that_were_painted() {
        let deep = format(32, 32, ImageOrder::LSB_FIRST, [0x3ff0_0000, 0xf_fc00, 0x3ff]);
        for painted in 0..=255_u8 {
            let pixel = (u32::from(painted) * 257) >> 6;
            assert_eq!(deep.convert(&pixel.to_le_bytes(), 1, &[])[0], painted);
        }
    }

    #[test]
    fn odd_masks_do_no_harm() {
        assert!(Channel::new(0).is_none());
        let wide = Channel::new(u32::MAX).unwrap();
        assert_eq!((wide.level(u32::MAX), wide.level(0)), (255, 0));
        let torn = Channel::new(0b1010_0000).unwrap();
        assert_eq!((torn.level(0xff), torn.level(0)), (255, 0));
    }

    #[test]
    fn a_pixel_outside_the_colour_table_is_black() {
        let visual =
            Visualtype { class: VisualClass::PSEUDO_COLOR, colormap_entries: 2, ..Visualtype::default() };
        let indexed = Format::new(8, 32, ImageOrder::LSB_FIRST, &visual).unwrap();
        assert_eq!(indexed.convert(&[1, 7, 0, 0], 2, &[[0; 4], [9, 8, 7, 0]]), [9, 8, 7, 0, 0, 0, 0, 0]);
    }
}
