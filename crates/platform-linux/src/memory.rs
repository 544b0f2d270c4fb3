//! Memory of this process.
#![allow(unsafe_code, reason = "asks the C library's allocator")]

/// Gives pages back to the system that the allocator holds and nobody uses. Takes up to a millisecond.
///
/// The allocator does it by itself only at the end of its heap, and there is nearly always something small at the end.
pub fn give_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: malloc_trim(3) may be called from any thread at any time, and changes nothing that is in use.
    unsafe {
        libc::malloc_trim(0);
    }
}
