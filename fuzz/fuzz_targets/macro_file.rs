//! Any bytes as a macro file: no panic, and what can be written of them reads back to the same bytes.
#![no_main]

use crossmacro_model::macro_file::{convert, lint, read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let found = read(bytes);
    let _ = (found.content.validate(), lint(&found.content), convert::to_script(&found.content));
    let mut once = Vec::new();
    if write(&found.content, &mut once).is_ok() {
        let again = read(&once);
        assert!(again.diagnostics.is_ok(), "{}", again.diagnostics);
        let mut twice = Vec::new();
        write(&again.content, &mut twice).expect("it was written before");
        assert_eq!(once, twice);
    }
});
