//! PNG files that are broken or made to take memory or time.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test may stop at the first surprise, and makes its patterns by cutting numbers"
)]

use crossmacro_imaging::{DecodeError, Flaw, Speed, png};
use crossmacro_model::limits::{Limit, PNG_BYTES, PNG_HEIGHT, PNG_INFLATED, PNG_PIXELS, PNG_WIDTH};
use crossmacro_model::{Frame, Rect, Size};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use proptest::prelude::*;
use std::io::Write;

/// CRC-32 of a chunk, bit by bit as PNG annex D describes it: not the code under test.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 },
        )
    })
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [name, data].concat();
    [&u32::try_from(data.len()).unwrap().to_be_bytes()[..], &body, &crc(&body).to_be_bytes()].concat()
}

fn header(width: u32, height: u32, depth: u8, color_type: u8, interlace: u8) -> Vec<u8> {
    let data =
        [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, color_type, 0, 0, interlace]].concat();
    [b"\x89PNG\r\n\x1a\n", &chunk(b"IHDR", &data)[..]].concat()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn whole(header: &[u8], between: &[u8], data: &[u8]) -> Vec<u8> {
    [header, between, &chunk(b"IDAT", data), &chunk(b"IEND", &[])].concat()
}

/// A small picture that is right.
fn good() -> Vec<u8> {
    whole(&header(2, 2, 8, 2, 0), &[], &zlib(&[0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12]))
}

#[test]
fn the_small_picture_is_right() {
    let image = png::decode(&good()).unwrap();
    assert_eq!(image.rgba, [1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 10, 11, 12, 255]);
}

#[test]
fn a_size_over_a_limit_is_refused_by_name() {
    let cases: &[(&Limit, Vec<u8>)] = &[
        (&PNG_WIDTH, header(7_681, 1, 8, 2, 0)),
        (&PNG_WIDTH, header(0x7FFF_FFFF, 0x7FFF_FFFF, 16, 6, 1)),
        (&PNG_HEIGHT, header(1, 4_321, 1, 0, 0)),
        (&PNG_INFLATED, header(7_680, 4_320, 16, 6, 0)),
        (&PNG_INFLATED, header(7_680, 4_320, 16, 2, 1)),
    ];
    for (limit, header) in cases {
        let file = whole(header, &[], &zlib(&[0; 64]));
        for error in [png::inspect(&file).unwrap_err(), png::decode(&file).unwrap_err()] {
            let DecodeError::TooLarge { what, found } = error else { panic!("{error:?}") };
            assert_eq!(what.name, limit.name);
            assert!(found > limit.value);
        }
    }
    // The largest sides together are exactly the largest area: that limit is hit by no size alone.
    assert_eq!(PNG_PIXELS.value, PNG_WIDTH.value * PNG_HEIGHT.value);
    let long = vec![0; usize::try_from(PNG_BYTES.value).unwrap() + 1];
    assert!(
        matches!(png::decode(&long), Err(DecodeError::TooLarge { what, .. }) if what.name == "PNG_BYTES")
    );
}

#[test]
fn bombs_are_refused_or_cost_no_more_than_their_size_says() {
    let zeros = vec![0; 64 << 20];
    let tiny = header(1, 1, 8, 0, 0);
    // Packed data far beyond the last row: skipped.
    let image = png::decode(&whole(&tiny, &[], &zlib(&zeros))).unwrap();
    assert_eq!(image.rgba, [0, 0, 0, 255]);
    // Texts and profiles that unpack to 64 MiB: not unpacked.
    let packed = zlib(&zeros);
    for (name, start) in [(b"zTXt", &b"k\0\0"[..]), (b"iCCP", b"p\0\0"), (b"iTXt", b"k\0\x01\0\0\0")] {
        let extra = chunk(name, &[start, &packed].concat());
        assert!(png::decode(&whole(&tiny, &extra, &zlib(&[0, 7]))).is_ok(), "{name:?}");
    }
    // A chunk that claims 2 GiB and isn't there.
    let claimed = [&tiny[..], &0x7FFF_FFFF_u32.to_be_bytes(), b"eXIf", &[0; 100]].concat();
    assert!(matches!(png::decode(&claimed), Err(DecodeError::Malformed { flaw: Flaw::Truncated, .. })));
    // The largest size with data for one row: no more than that row is looked at.
    let hollow = whole(&header(7_680, 4_320, 8, 0, 0), &[], &zlib(&[0; 7_681]));
    assert!(matches!(png::inspect(&hollow), Err(DecodeError::Malformed { .. })));
}

#[test]
fn nonsense_is_malformed() {
    let line = zlib(&[0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12]);
    let good_header = header(2, 2, 8, 2, 0);
    let end = chunk(b"IEND", &[]);
    let cases = [
        ("empty", vec![]),
        ("no PNG", b"GIF89a".to_vec()),
        ("signature alone", b"\x89PNG\r\n\x1a\n".to_vec()),
        ("no header", [b"\x89PNG\r\n\x1a\n", &end[..]].concat()),
        ("data before header", [b"\x89PNG\r\n\x1a\n", &chunk(b"IDAT", &line)[..], &end].concat()),
        ("no width", whole(&header(0, 2, 8, 2, 0), &[], &line)),
        ("no height", whole(&header(2, 0, 8, 2, 0), &[], &line)),
        ("bit depth 3", whole(&header(2, 2, 3, 2, 0), &[], &line)),
        ("bit depth 16 of an index", whole(&header(2, 2, 16, 3, 0), &[], &line)),
        ("colour type 5", whole(&header(2, 2, 8, 5, 0), &[], &line)),
        ("interlace 2", whole(&header(2, 2, 8, 2, 2), &[], &line)),
        ("no palette", whole(&header(2, 2, 8, 3, 0), &[], &zlib(&[0, 0, 0, 0, 0, 0]))),
        ("palette of 4 bytes", whole(&header(2, 2, 8, 3, 0), &chunk(b"PLTE", &[1; 4]), &zlib(&[0; 6]))),
        ("empty palette", whole(&header(2, 2, 8, 3, 0), &chunk(b"PLTE", &[]), &zlib(&[0; 6]))),
        ("palette of 257", whole(&header(2, 2, 8, 3, 0), &chunk(b"PLTE", &[1; 771]), &zlib(&[0; 6]))),
        (
            "palette after data",
            [&header(2, 2, 8, 3, 0)[..], &chunk(b"IDAT", &zlib(&[0; 6])), &chunk(b"PLTE", &[1; 3]), &end]
                .concat(),
        ),
        ("no data", [&good_header[..], &end].concat()),
        ("empty data", whole(&good_header, &[], &[])),
        ("no zlib", whole(&good_header, &[], &[0xFF; 40])),
        ("filter 9", whole(&good_header, &[], &zlib(&[9; 14]))),
        ("a row missing", whole(&good_header, &[], &zlib(&[0; 7]))),
        ("no end", [&good_header[..], &chunk(b"IDAT", &line)].concat()),
        ("second header", whole(&good_header, &good_header[8..], &line)),
    ];
    for (what, file) in cases {
        assert!(matches!(png::decode(&file), Err(DecodeError::Malformed { .. })), "{what}");
        assert!(matches!(png::inspect(&file), Err(DecodeError::Malformed { .. })), "{what}");
    }
}

#[test]
fn an_end_at_any_byte_is_an_error() {
    let good = good();
    for length in 0..good.len() {
        assert!(matches!(png::decode(&good[..length]), Err(DecodeError::Malformed { .. })), "{length}");
    }
}

#[test]
fn a_wrong_bit_anywhere_is_an_error() {
    let extra = chunk(b"tIME", &[7, 227, 1, 1, 1, 1, 1]);
    let file = whole(&header(2, 2, 8, 2, 0), &extra, &zlib(&[0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12]));
    assert!(png::decode(&file).is_ok());
    for bit in 0..file.len() * 8 {
        let mut file = file.clone();
        file[bit / 8] ^= 1 << (bit % 8);
        assert!(png::decode(&file).is_err(), "bit {bit}");
    }
}

proptest! {
    #[test]
    fn any_bytes_give_an_answer(bytes: Vec<u8>, is_signed: bool) {
        let start = if is_signed { &header(3, 3, 8, 6, 1)[..] } else { &[] };
        drop(png::inspect(&[start, &bytes].concat()));
    }

    #[test]
    fn chunks_in_any_order_give_an_answer_and_the_same_from_both(
        chunks in prop::collection::vec((0_usize..9, prop::collection::vec(any::<u8>(), 0..40)), 0..8),
        depth in prop::sample::select(vec![1_u8, 2, 4, 8, 16]), color_type in 0_u8..7, interlace in 0_u8..2,
    ) {
        const NAMES: [&[u8; 4]; 9] =
            [b"PLTE", b"tRNS", b"IDAT", b"IEND", b"acTL", b"fcTL", b"fdAT", b"gAMA", b"quIt"];
        let mut file = header(5, 4, depth, color_type, interlace);
        for (name, data) in chunks {
            let data = if NAMES[name] == b"IDAT" { zlib(&data.repeat(9)) } else { data };
            file.extend(chunk(NAMES[name], &data));
        }
        file.extend(chunk(b"IEND", &[]));
        let (inspected, decoded) = (png::inspect(&file), png::decode(&file));
        prop_assert_eq!(inspected.is_ok(), decoded.is_ok());
        if let Ok(image) = decoded {
            prop_assert_eq!(image.rgba.len(), 5 * 4 * 4);
        }
    }

    #[test]
    fn what_is_written_is_read(width in 1_u32..40, height in 1_u32..40, seed: u8, colours in 1_u8..=255) {
        let bytes = (0..width * height).flat_map(|n| {
            let colour = (n as u8).wrapping_mul(seed) % colours;
            [colour, colour ^ seed, colour / 2, seed]
        });
        let bytes = bytes.collect::<Vec<u8>>();
        let expected = bytes.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0], 255]).collect::<Vec<_>>();
        let size = Size::new(width, height);
        let region = Rect::new(0, 0, width, height);
        let frame = Frame::new(region, size, width as usize * 4, Box::new(bytes)).unwrap();
        let image = png::decode(&png::encode(&frame, Speed::Fast).unwrap()).unwrap();
        prop_assert_eq!(image.size, size);
        prop_assert_eq!(image.rgba, expected);
    }
}
