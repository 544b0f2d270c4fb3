//! The sum of differences of one place, exactly; given up as soon as it is over a limit.
//!
//! Three times the same for the vector instructions of x86 (`PSADBW` adds up the differences of eight bytes
//! at once, which no compiler finds by itself), and once in plain code for every other machine and as the
//! twin that tests compare with.

use super::picture::Picture;
use super::template::Template;
use crossmacro_model::frame::BYTES_PER_PIXEL;
#[cfg(target_arch = "x86_64")]
use fearless_simd::prelude::*;

/// Runs between two looks at the limit.
const RUNS_AT_ONCE: usize = 4;
/// The padding byte of a pixel is not compared; the template has 0 there.
const COLOR_BYTES: u32 = 0x00FF_FFFF;

/// A template laid out for one picture.
pub(super) struct Comparison<'a> {
    picture: &'a Picture<'a>,
    pixels: &'a [u8],
    runs: Vec<Run>,
    partial: Vec<(usize, u64, [u8; 3])>,
}

/// Bytes of the picture, relative to a place, and bytes of the template.
#[derive(Debug, Clone, Copy)]
struct Run {
    picture: usize,
    template: usize,
    length: usize,
}

/// The sum of differences of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Difference {
    /// It is this.
    Exactly(u64),
    /// It is over the limit, and at least this.
    AtLeast(u64),
}

impl<'a> Comparison<'a> {
    pub(super) fn new(picture: &'a Picture<'a>, template: &'a Template) -> Self {
        let width = template.size().width as usize;
        let place = |x: usize, y: usize| y * picture.frame.stride() + x * BYTES_PER_PIXEL;
        let run = |run: &super::template::Run| Run {
            picture: place(run.x, run.y),
            template: (run.y * width + run.x) * BYTES_PER_PIXEL,
            length: run.length * BYTES_PER_PIXEL,
        };
        let partial = template.partial.iter();
        Self {
            picture,
            pixels: &template.pixels,
            runs: template.runs.iter().map(run).collect(),
            partial: partial.map(|p| (place(p.x, p.y), u64::from(p.coverage), p.color)).collect(),
        }
    }

    /// The sum at the place (`x`, `y`), exactly where it is at most `limit`.
    pub(super) fn at(&self, x: usize, y: usize, limit: u64) -> Difference {
        let start = y * self.picture.frame.stride() + x * BYTES_PER_PIXEL;
        let Some(bytes) = self.picture.frame.bytes().get(start..) else {
            return Difference::AtLeast(u64::MAX);
        };
        let mut sum = 0;
        for runs in self.runs.chunks(RUNS_AT_ONCE) {
            sum += 255 * self.add_up(bytes, runs);
            if sum > limit {
                return Difference::AtLeast(sum);
            }
        }
        for (offset, coverage, color) in &self.partial {
            let pixel = bytes.get(*offset..).unwrap_or_default();
            let apart = pixel.iter().zip(color).map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>();
            sum += coverage * apart;
        }
        if sum > limit { Difference::AtLeast(sum) } else { Difference::Exactly(sum) }
    }

    #[cfg(target_arch = "x86_64")]
    fn add_up(&self, bytes: &[u8], runs: &[Run]) -> u64 {
        let level = self.picture.level;
        if let Some(token) = level.as_avx512() {
            add_up_avx512(token, bytes, self.pixels, runs)
        } else if let Some(token) = level.as_avx2() {
            add_up_avx2(token, bytes, self.pixels, runs)
        } else if let Some(token) = level.as_sse2() {
            add_up_sse2(token, bytes, self.pixels, runs)
        } else {
            add_up_plain(bytes, self.pixels, runs)
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn add_up(&self, bytes: &[u8], runs: &[Run]) -> u64 {
        add_up_plain(bytes, self.pixels, runs)
    }
}

/// The bytes of a run on both sides.
#[inline(always)]
fn sides<'b>(bytes: &'b [u8], pixels: &'b [u8], run: &Run) -> (&'b [u8], &'b [u8]) {
    (&bytes[run.picture..run.picture + run.length], &pixels[run.template..run.template + run.length])
}

fn add_up_plain(bytes: &[u8], pixels: &[u8], runs: &[Run]) -> u64 {
    let run_sum = |run: &Run| {
        let (have, want) = sides(bytes, pixels, run);
        let pairs = have.as_chunks::<BYTES_PER_PIXEL>().0.iter().zip(want.as_chunks::<BYTES_PER_PIXEL>().0);
        pairs.map(|(a, b)| (0..3).map(|i| u64::from(a[i].abs_diff(b[i]))).sum::<u64>()).sum::<u64>()
    };
    runs.iter().map(run_sum).sum()
}

/// The last bytes of a run, filled up with zeros.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn filled<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut all = [0; N];
    all[..bytes.len()].copy_from_slice(bytes);
    all
}

/// One function that adds up runs with the registers of one level.
#[cfg(target_arch = "x86_64")]
macro_rules! add_up {
    ($name:ident, $level:ident, $vector:ident, $bytes:literal, $zero:ident, $set:ident, $and:ident, $sad:ident, $add:ident) => {
        fearless_simd::kernel!(
            #[inline]
            fn $name(simd: $level, bytes: &[u8], pixels: &[u8], runs: &[Run]) -> u64 {
                use std::arch::x86_64::*;
                let color_bytes = $set(COLOR_BYTES.cast_signed());
                let mut total = $zero();
                for run in runs {
                    let (have, want) = sides(bytes, pixels, run);
                    let (have, have_rest) = have.as_chunks::<$bytes>();
                    let (want, want_rest) = want.as_chunks::<$bytes>();
                    for (have, want) in have.iter().zip(want) {
                        let have = $and(fearless_simd::$vector::from_slice(simd, have).into(), color_bytes);
                        let want = fearless_simd::$vector::from_slice(simd, want).into();
                        total = $add(total, $sad(have, want));
                    }
                    if !have_rest.is_empty() {
                        let (have, want) = (filled::<$bytes>(have_rest), filled::<$bytes>(want_rest));
                        let have = $and(fearless_simd::$vector::from_slice(simd, &have).into(), color_bytes);
                        let want = fearless_simd::$vector::from_slice(simd, &want).into();
                        total = $add(total, $sad(have, want));
                    }
                }
                // Eight bytes of sums each, as `PSADBW` leaves them.
                let total: fearless_simd::$vector<_> = total.simd_into(simd);
                let sums: [u8; $bytes] = total.into();
                sums.as_chunks::<8>().0.iter().map(|sum| u64::from_le_bytes(*sum)).sum()
            }
        );
    };
}

#[cfg(target_arch = "x86_64")]
add_up!(
    add_up_avx512,
    Avx512,
    u8x64,
    64,
    _mm512_setzero_si512,
    _mm512_set1_epi32,
    _mm512_and_si512,
    _mm512_sad_epu8,
    _mm512_add_epi64
);
#[cfg(target_arch = "x86_64")]
add_up!(
    add_up_avx2,
    Avx2,
    u8x32,
    32,
    _mm256_setzero_si256,
    _mm256_set1_epi32,
    _mm256_and_si256,
    _mm256_sad_epu8,
    _mm256_add_epi64
);
#[cfg(target_arch = "x86_64")]
add_up!(
    add_up_sse2,
    Sse2,
    u8x16,
    16,
    _mm_setzero_si128,
    _mm_set1_epi32,
    _mm_and_si128,
    _mm_sad_epu8,
    _mm_add_epi64
);
