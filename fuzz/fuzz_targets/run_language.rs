//! Any text as a script: no panic, and reading what is printed gives the same program.
#![no_main]

use crossmacro_model::run::{from_lines, from_steps, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(source) = from_lines(text) else { return };
    if let Ok(program) = parse(&source) {
        let printed = program.print();
        let again = parse(&from_steps(printed.clone())).expect("what is printed is read");
        assert_eq!(again.print(), printed);
    }
});
