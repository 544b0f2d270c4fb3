//! Any text as a script of another program: no panic, and what it becomes is a script that is read.
#![no_main]

use crossmacro_model::macro_file::convert::{Foreign, from_foreign};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for program in Foreign::ALL {
        let (content, found) = from_foreign(program, text);
        assert!(content.script.is_empty() || content.program().is_ok(), "{:?}\n{found}", content.script);
    }
});
