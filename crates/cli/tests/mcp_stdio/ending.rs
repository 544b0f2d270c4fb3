//! Every way in which a session ends: exit status 0, within two seconds.

use super::server::{END, HELLO, LIMIT, Server, call, command};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SIGNALS: [Signal; 3] = [Signal::TERM, Signal::INT, Signal::HUP];

fn signal(server: &Server, signal: Signal) {
    kill_process(Pid::from_raw(server.pid()).unwrap(), signal).unwrap();
}

/// A display that accepts connections and never says a word, and its name.
fn mute_display() -> (TcpListener, String) {
    let (listener, number) = (100..400)
        .find_map(|number| Some((TcpListener::bind(("127.0.0.1", 6000 + number)).ok()?, number)))
        .expect("a free port");
    (listener, format!("127.0.0.1:{number}"))
}

#[test]
fn input_may_end_at_any_byte_of_a_session() {
    let session = [
        HELLO[0].to_owned(),
        HELLO[1].to_owned(),
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#.to_owned(),
        call(3, "status.get", &json!({})),
        String::new(),
    ]
    .join("\n");
    let home = tempfile::tempdir().unwrap();
    // Several at once: most of the time of each is the start of a process.
    let lengths: Vec<usize> = (0..=session.len()).collect();
    for lengths in lengths.chunks(8) {
        let children: Vec<_> = lengths
            .iter()
            .map(|length| {
                let mut child = command(home.path(), &[]).spawn().unwrap();
                let mut input = child.stdin.take().unwrap();
                input.write_all(&session.as_bytes()[..*length]).unwrap();
                (*length, child)
            })
            .collect();
        for (length, child) in children {
            let output = child.wait_with_output().unwrap();
            let log = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "after {length} bytes: {log}");
            assert!(!log.contains("panicked"), "after {length} bytes: {log}");
            let whole = session.as_bytes()[..length].iter().filter(|byte| **byte == b'\n').count();
            let answers = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
            assert_eq!(answers, whole.saturating_sub(usize::from(whole >= 2)), "after {length} bytes");
        }
    }
}

#[test]
fn signals_end_it_at_every_stage() {
    for one in SIGNALS {
        // The greeting shows that the handler is in place.
        let server = Server::greeted(&[]);
        signal(&server, one);
        server.ends_well();
    }
}

#[test]
fn a_signal_in_the_middle_of_calls_that_hang_ends_it() {
    let (_listener, display) = mute_display();
    for by_signal in [true, false] {
        let mut server = Server::start_with(&[], |command| {
            command.env("DISPLAY", &display);
        });
        server.greet();
        for id in 1..10 {
            server.send(call(id, "cursor.position", &json!({})).as_bytes());
        }
        server.still_serves();
        if by_signal {
            signal(&server, Signal::TERM);
        } else {
            server.close_input();
        }
        server.ends_well();
    }
}

#[test]
fn a_host_that_never_reads_may_close_or_signal() {
    for by_signal in [true, false] {
        let home = tempfile::tempdir().unwrap();
        let mut child = command(home.path(), &[]).stderr(Stdio::null()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut lines = format!("{}\n{}\n", HELLO[0], HELLO[1]);
        // About 100 answers of the list: more than a pipe holds.
        for id in 1..100 {
            lines += &format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\"}}\n");
        }
        input.write_all(lines.as_bytes()).unwrap();
        // One answer shows that it is at work; the rest is never read.
        let mut output = child.stdout.take().unwrap();
        output.read_exact(&mut [0; 100]).unwrap();
        let start = Instant::now();
        if by_signal {
            let pid = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
            kill_process(pid, Signal::TERM).unwrap();
        } else {
            drop(input);
        }
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < LIMIT, "it does not end");
            std::thread::sleep(Duration::from_millis(2));
        };
        assert_eq!(status.code(), Some(0));
        assert!(start.elapsed() < END, "{:?}", start.elapsed());
    }
}

#[test]
fn a_host_that_closes_our_output_ends_it() {
    let home = tempfile::tempdir().unwrap();
    let mut child = command(home.path(), &[]).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{}\n", HELLO[0]).as_bytes()).unwrap();
    let start = Instant::now();
    // The input stays open: the broken output alone must be enough.
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < LIMIT, "it does not end");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(input);
}

#[test]
fn the_real_descriptors_belong_to_the_protocol_alone() {
    let server = Server::greeted(&[]);
    let target = |fd: i32| std::fs::read_link(format!("/proc/{}/fd/{fd}", server.pid())).unwrap();
    assert_eq!(target(0), std::path::Path::new("/dev/null"));
    assert_eq!(target(1), target(2), "what is printed goes to the log");
    signal(&server, Signal::TERM);
    server.ends_well();
}

#[test]
fn options_that_make_no_sense_are_refused_before_anything_is_read() {
    for arguments in [
        ["--tools=no.tool"],
        ["--toolsets=everything"],
        ["--tool-names=camel"],
        ["--private-desktop=big"],
        ["--private-desktop=0x0"],
    ] {
        let (code, _, log) = Server::start(&arguments).wait();
        assert_eq!(code, Some(2), "{arguments:?}: {log}");
        assert!(!log.is_empty(), "{arguments:?}");
    }
}
