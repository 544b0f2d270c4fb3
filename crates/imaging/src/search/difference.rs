//! The sums of differences of places side by side, exactly; given up as soon as they are over a limit.
//!
//! All places of a block go through the same rows of the template before the next rows are taken, so that
//! what is read stays in the nearest cache.
//!
//! Three times the same for the vector instructions of x86 (`PSADBW` adds up the differences of eight bytes
//! at once, which no compiler finds by itself), and once in plain code for every other machine and as the
//! twin that tests compare with.

use super::picture::Picture;
use super::template::Template;
use crossmacro_model::frame::BYTES_PER_PIXEL;
#[cfg(target_arch = "x86_64")]
use fearless_simd::prelude::*;

/// Bytes of the template between two looks at the limit: few at first, since most places are wrong.
const BYTES_AT_FIRST: usize = 1 << 10;
/// The same later on.
const BYTES_LATER: usize = 1 << 12;
/// Looks at the limit after few bytes.
const FIRST_LOOKS: usize = 3;
/// The padding byte of a pixel is not compared; the template has 0 there.
#[cfg(target_arch = "x86_64")]
const COLOR_BYTES: u32 = 0x00FF_FFFF;

/// A template laid out for one picture.
pub(super) struct Comparison<'a> {
    picture: &'a Picture<'a>,
    pixels: &'a [u8],
    /// Runs, in the groups after which the limit is looked at.
    groups: Vec<Group>,
    partial: Vec<(usize, u64, [u8; 3])>,
}

struct Group {
    runs: Vec<Run>,
    /// Pixels in its runs.
    pixels: u64,
}

/// Bytes of the picture, relative to a place, and bytes of the template.
#[derive(Debug, Clone, Copy)]
struct Run {
    picture: usize,
    template: usize,
    length: usize,
}

/// A place of a row that may still be good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Alive {
    pub(super) x: usize,
    /// Its sum of differences so far.
    pub(super) sum: u64,
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
            groups: group(template.runs.iter().map(run)),
            partial: partial.map(|p| (place(p.x, p.y), u64::from(p.coverage), p.color)).collect(),
        }
    }

    /// Compares the places `alive` of row `y`, whose sums are 0: keeps those of a sum of at most `limit`, and
    /// hands the others to `dropped` with a sum that theirs is at least. Returns the pixels compared.
    pub(super) fn compare(
        &self,
        y: usize,
        alive: &mut Vec<Alive>,
        limit: u64,
        mut dropped: impl FnMut(Alive),
    ) -> u64 {
        let bytes = self.picture.frame.bytes().get(y * self.picture.frame.stride()..).unwrap_or_default();
        let mut compared = 0;
        let mut keep = |alive: &mut Vec<Alive>| {
            alive.retain(|place| {
                let is_kept = place.sum <= limit;
                if !is_kept {
                    dropped(*place);
                }
                is_kept
            });
        };
        for group in &self.groups {
            if alive.is_empty() {
                return compared;
            }
            compared += alive.len() as u64 * group.pixels;
            self.add_up(bytes, &group.runs, alive);
            keep(alive);
        }
        if !self.partial.is_empty() {
            compared += alive.len() as u64 * self.partial.len() as u64;
            for place in &mut *alive {
                place.sum += self.partial_sum(bytes.get(place.x * BYTES_PER_PIXEL..).unwrap_or_default());
            }
            keep(alive);
        }
        compared
    }

    fn partial_sum(&self, bytes: &[u8]) -> u64 {
        let weighted = |(offset, coverage, color): &(usize, u64, [u8; 3])| {
            let pixel = bytes.get(*offset..).unwrap_or_default();
            coverage * pixel.iter().zip(color).map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>()
        };
        self.partial.iter().map(weighted).sum()
    }

    /// Adds the differences of `runs` to the sums of all places, with the coverage of full pixels.
    #[cfg(target_arch = "x86_64")]
    fn add_up(&self, bytes: &[u8], runs: &[Run], alive: &mut [Alive]) {
        let level = self.picture.level;
        if let Some(token) = level.as_avx512() {
            add_up_avx512(token, bytes, self.pixels, runs, alive);
        } else if let Some(token) = level.as_avx2() {
            add_up_avx2(token, bytes, self.pixels, runs, alive);
        } else if let Some(token) = level.as_sse2() {
            add_up_sse2(token, bytes, self.pixels, runs, alive);
        } else {
            add_up_plain(bytes, self.pixels, runs, alive);
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn add_up(&self, bytes: &[u8], runs: &[Run], alive: &mut [Alive]) {
        add_up_plain(bytes, self.pixels, runs, alive);
    }
}

fn group(runs: impl Iterator<Item = Run>) -> Vec<Group> {
    let mut groups = Vec::<Group>::new();
    let mut bytes = usize::MAX;
    for run in runs {
        let most = if groups.len() <= FIRST_LOOKS { BYTES_AT_FIRST } else { BYTES_LATER };
        if bytes >= most {
            groups.push(Group { runs: Vec::new(), pixels: 0 });
            bytes = 0;
        }
        bytes += run.length;
        if let Some(group) = groups.last_mut() {
            group.pixels += (run.length / BYTES_PER_PIXEL) as u64;
            group.runs.push(run);
        }
    }
    groups
}

/// The bytes of a run on both sides.
#[inline(always)]
fn sides<'b>(bytes: &'b [u8], pixels: &'b [u8], run: &Run, place: &Alive) -> (&'b [u8], &'b [u8]) {
    let start = run.picture + place.x * BYTES_PER_PIXEL;
    (&bytes[start..start + run.length], &pixels[run.template..run.template + run.length])
}

#[cfg_attr(target_arch = "x86_64", allow(dead_code, reason = "the twin of the others, for tests"))]
fn add_up_plain(bytes: &[u8], pixels: &[u8], runs: &[Run], alive: &mut [Alive]) {
    for place in alive {
        for run in runs {
            let (have, want) = sides(bytes, pixels, run, place);
            let (have, want) = (have.as_chunks::<BYTES_PER_PIXEL>().0, want.as_chunks().0);
            let apart =
                |(a, b): (&[u8; 4], &[u8; 4])| (0..3).map(|i| u64::from(a[i].abs_diff(b[i]))).sum::<u64>();
            place.sum += 255 * have.iter().zip(want).map(apart).sum::<u64>();
        }
    }
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
            fn $name(simd: $level, bytes: &[u8], pixels: &[u8], runs: &[Run], alive: &mut [Alive]) {
                use std::arch::x86_64::*;
                let color_bytes = $set(COLOR_BYTES.cast_signed());
                for place in alive {
                    let mut total = $zero();
                    for run in runs {
                        let (have, want) = sides(bytes, pixels, run, place);
                        let (have, have_rest) = have.as_chunks::<$bytes>();
                        let (want, want_rest) = want.as_chunks::<$bytes>();
                        for (have, want) in have.iter().zip(want) {
                            let have =
                                $and(fearless_simd::$vector::from_slice(simd, have).into(), color_bytes);
                            let want = fearless_simd::$vector::from_slice(simd, want).into();
                            total = $add(total, $sad(have, want));
                        }
                        if !have_rest.is_empty() {
                            let (have, want) = (filled::<$bytes>(have_rest), filled::<$bytes>(want_rest));
                            let have =
                                $and(fearless_simd::$vector::from_slice(simd, &have).into(), color_bytes);
                            let want = fearless_simd::$vector::from_slice(simd, &want).into();
                            total = $add(total, $sad(have, want));
                        }
                    }
                    // Eight bytes of sums each, as `PSADBW` leaves them.
                    let total: fearless_simd::$vector<_> = total.simd_into(simd);
                    let sums: [u8; $bytes] = total.into();
                    for sum in sums.as_chunks::<8>().0 {
                        place.sum = place.sum.wrapping_add(255_u64.wrapping_mul(u64::from_le_bytes(*sum)));
                    }
                }
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
