//! The same work on several parts of a picture at once.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Pixels that are worth a thread: below, starting it costs more than it saves.
const PIXELS_PER_THREAD: u64 = 1 << 17;
/// More threads than this gain little, since the memory is shared.
const MOST_THREADS: usize = 4;

/// The number of threads that pay for a pass over `pixels` pixels, this one included.
pub(crate) fn worth(pixels: u64) -> usize {
    let useful = usize::try_from(pixels / PIXELS_PER_THREAD).unwrap_or(MOST_THREADS);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    useful.min(cores).clamp(1, MOST_THREADS)
}

/// `rows` in `parts` ranges of about equal length, none empty (unless there is no row).
pub(crate) fn split(rows: u32, parts: usize) -> Vec<Range<u32>> {
    let parts = u32::try_from(parts).unwrap_or(1).clamp(1, rows.max(1));
    let edge =
        |part: u32| u32::try_from(u64::from(rows) * u64::from(part) / u64::from(parts)).unwrap_or(rows);
    (0..parts).map(|part| edge(part)..edge(part + 1)).collect()
}

/// Does `work` on every task, on as many threads as there are tasks; results in the order of the tasks.
pub(crate) fn in_parallel<T: Send, R: Send>(tasks: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    on_threads(tasks.len(), tasks, work)
}

/// Does `work` on every task, on at most `most` threads; results in the order of the tasks. Where the system
/// gives no thread, this one does all of it.
pub(crate) fn on_threads<T: Send, R: Send>(
    most: usize,
    tasks: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let others = most.min(tasks.len()).saturating_sub(1);
    let queue = Mutex::new(tasks.into_iter().enumerate());
    let drain = || {
        let mut done = Vec::new();
        while let Some((index, task)) = next(&queue) {
            done.push((index, work(task)));
        }
        done
    };
    let mut results = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, drain).ok();
        let started = (0..others).filter_map(spawn).collect::<Vec<_>>();
        let mut results = drain();
        for thread in started {
            results.extend(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn next<T, I: Iterator<Item = T>>(queue: &Mutex<I>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_all_rows_once() {
        for (rows, parts) in [(1, 4), (2, 2), (7, 3), (1080, 2), (4320, 4)] {
            let ranges = split(rows, parts);
            assert_eq!(ranges.first().map(|r| r.start), Some(0));
            assert_eq!(ranges.last().map(|r| r.end), Some(rows));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(ranges.iter().all(|range| !range.is_empty()));
        }
    }

    #[test]
    fn results_keep_the_order_of_the_tasks() {
        assert_eq!(in_parallel(vec![3, 1, 2], |n| n * 10), [30, 10, 20]);
        assert_eq!(on_threads(2, (0..9).collect(), |n| n), (0..9).collect::<Vec<_>>());
        assert!(in_parallel(Vec::<u8>::new(), |n| n).is_empty());
    }
}
