//! The program that keeps the clipboard for the tests, as a hidden subcommand of the real program does. With
//! `set DISPLAY TEXT` it is the one whose clipboard must survive it: it sets the text, says so, and waits to
//! be killed.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods, reason = "a test program")]

use crossmacro_platform::{ClipboardContent, DesktopSource};
use crossmacro_platform_linux::x11::{X11Options, X11Source, serve_clipboard};
use std::io::{Read, Write};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["set", display, text, mark] => set(display, text, mark),
        _ => serve_clipboard(std::io::stdin(), std::io::stdout()).unwrap(),
    }
}

fn set(display: &str, text: &str, mark: &str) {
    let program = std::env::current_exe().unwrap().into_os_string();
    let options = X11Options {
        display: Some(display.to_owned()),
        clipboard_server: Some(vec![program, "serve".into(), mark.into()]),
        ..X11Options::default()
    };
    let desktop = X11Source::new(options).desktop().unwrap();
    desktop.clipboard.clone().unwrap().set(ClipboardContent::Text(text.to_owned())).unwrap();
    println!("set");
    std::io::stdout().flush().unwrap();
    std::io::stdin().read_exact(&mut [0]).unwrap();
}
