//! One zlib stream (RFC 1950) packed by several threads.
//!
//! Every band of rows is a deflate stream (RFC 1951) of its own that ends at a byte boundary (all but the
//! last with a sync flush, which leaves the stream open), so the bands joined are one stream. Its checksum
//! is joined from theirs.

use crate::error::Source;
use crate::threads;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use simd_adler32::Adler32;
use std::io::Write;
use std::ops::Range;

/// Method deflate, window of 32 KiB, no dictionary, check bits.
const ZLIB_HEADER: [u8; 2] = [0x78, 0x01];
/// The largest prime below 2^16, of Adler-32.
const ADLER_PRIME: u64 = 65_521;

/// Packed rows.
struct Band {
    deflated: Vec<u8>,
    adler: u32,
    /// Bytes before packing.
    length: u64,
}

/// Packs `rows` rows of a picture `width` wide at zlib level `level`. `line` gives a row: it appends the
/// filter byte and the pixels to the buffer. Returns the parts of the stream in order.
pub(super) fn deflate<F>(width: u32, rows: u32, level: u32, line: F) -> Result<Vec<Vec<u8>>, Source>
where
    F: Fn(u32, &mut Vec<u8>) + Sync,
{
    let ranges = threads::split(rows, threads::worth(u64::from(width) * u64::from(rows)));
    let bands = threads::in_parallel(ranges, |range| pack(range.clone(), range.end == rows, level, &line));
    Ok(join(bands.into_iter().collect::<Result<_, _>>()?))
}

fn pack<F: Fn(u32, &mut Vec<u8>)>(
    rows: Range<u32>,
    is_last: bool,
    level: u32,
    line: &F,
) -> Result<Band, Source> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(level));
    let mut adler = Adler32::new();
    let mut length = 0;
    let mut buffer = Vec::new();
    for y in rows {
        buffer.clear();
        line(y, &mut buffer);
        adler.write(&buffer);
        length += buffer.len() as u64;
        encoder.write_all(&buffer)?;
    }
    let deflated = if is_last {
        encoder.finish()?
    } else {
        encoder.flush()?;
        std::mem::take(encoder.get_mut())
    };
    Ok(Band { deflated, adler: adler.finish(), length })
}

/// Header, bands and checksum: the parts of one zlib stream.
fn join(bands: Vec<Band>) -> Vec<Vec<u8>> {
    let adler = bands.iter().fold(1, |sum, band| adler_of_both(sum, band.adler, band.length));
    let mut parts = bands.into_iter().map(|band| band.deflated).collect::<Vec<_>>();
    if let Some(first) = parts.first_mut() {
        first.splice(0..0, ZLIB_HEADER);
    }
    if let Some(last) = parts.last_mut() {
        last.extend_from_slice(&adler.to_be_bytes());
    }
    parts
}

/// Adler-32 of two byte strings joined, from theirs and the length of the second. The low half is 1 plus the
/// sum of the bytes, the high half the sum of the low halves so far.
fn adler_of_both(first: u32, second: u32, second_length: u64) -> u32 {
    let (low_1, high_1) = (u64::from(first & 0xFFFF), u64::from(first >> 16));
    let (low_2, high_2) = (u64::from(second & 0xFFFF), u64::from(second >> 16));
    let low = (low_1 + low_2 + ADLER_PRIME - 1) % ADLER_PRIME;
    let carried = (second_length % ADLER_PRIME) * ((low_1 + ADLER_PRIME - 1) % ADLER_PRIME);
    let high = (high_1 + high_2 + carried) % ADLER_PRIME;
    // Both are below 2^16.
    u32::try_from(high << 16 | low).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn adler(bytes: &[u8]) -> u32 {
        let mut sum = Adler32::new();
        sum.write(bytes);
        sum.finish()
    }

    proptest! {
        #[test]
        fn the_joined_checksum_is_that_of_the_whole(a: Vec<u8>, b in prop::collection::vec(any::<u8>(), 0..200_000)) {
            let whole = [a.clone(), b.clone()].concat();
            prop_assert_eq!(adler_of_both(adler(&a), adler(&b), b.len() as u64), adler(&whole));
        }
    }
}
