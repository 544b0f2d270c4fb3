use super::*;
use crossmacro_platform::Cancel;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use x11rb::protocol::xproto::{ConnectionExt as _, Family, HostMode};

fn small() -> PrivateXOptions {
    PrivateXOptions { size: Size::new(320, 200), ..PrivateXOptions::default() }
}

/// Waits for a condition, and says whether it came.
fn within(limit: Duration, condition: impl Fn() -> bool) -> bool {
    let deadline = clock::now() + limit;
    while !condition() {
        if clock::now() > deadline {
            return false;
        }
        Cancel::new().sleep(Duration::from_millis(5));
    }
    true
}

/// The files of the server that has this display now. Another test may get the number later, so a file is
/// more than its name.
fn files_of(display: &str) -> Vec<(String, u64, i64, i64)> {
    let number = display.trim_start_matches(':');
    let paths = [format!("/tmp/.X{number}-lock"), format!("/tmp/.X11-unix/X{number}")];
    let identity = |path: String| {
        let data = std::fs::symlink_metadata(&path).ok()?;
        Some((path, data.ino(), data.ctime(), data.ctime_nsec()))
    };
    paths.into_iter().filter_map(identity).collect()
}

fn remain(display: &str, files: &[(String, u64, i64, i64)]) -> bool {
    files_of(display).iter().any(|file| files.contains(file))
}

/// Whether a process that is not a zombie has this id.
fn lives(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(") ").next().unwrap_or_default().starts_with('Z'))
}

fn pids(session: &PrivateX) -> Vec<u32> {
    let server = session.server.child.lock().unwrap().id();
    let manager = session.manager.as_ref().map(|(_, child)| child.id());
    manager.into_iter().chain([server]).collect()
}

#[test]
fn twenty_sessions_leave_nothing() {
    for round in 0..20 {
        let session = PrivateX::start(&small()).unwrap();
        let application = session.launch("sleep", &["600"]).unwrap();
        let display = session.display().to_owned();
        let mut processes = pids(&session);
        processes.push(application);
        assert_eq!(session.warnings(), [] as [&str; 0]);
        assert_eq!(processes.len(), 3);
        assert!(processes.iter().all(|pid| lives(*pid)));
        // Whether there is a lock beside the socket depends on the version of the server.
        let files = files_of(&display);
        assert!(!files.is_empty());
        drop(session);
        assert!(!remain(&display, &files), "round {round}");
        assert!(!processes.iter().any(|pid| lives(*pid)), "round {round}");
    }
}

/// Run by the test below in a process of its own.
#[test]
#[ignore = "the owner that is killed by `a_killed_owner_leaves_nothing`"]
fn owner() {
    let session = PrivateX::start(&small()).unwrap();
    let application = session.launch("sleep", &["600"]).unwrap();
    println!("\nowner {} {application} {:?}", session.display(), pids(&session));
    Cancel::new().sleep(Duration::from_secs(600));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test is a process owner")]
fn a_killed_owner_leaves_nothing() {
    let mut owner = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "private_x::tests::owner", "--ignored", "--nocapture"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(owner.stdout.take().unwrap()).lines().map(Result::unwrap);
    let line = lines.into_iter().find(|line| line.starts_with("owner ")).unwrap();
    let display = line.split(' ').nth(1).unwrap();
    let processes = line
        .split(|c: char| !c.is_ascii_digit() && c != ':')
        .filter_map(|word| word.parse::<u32>().ok())
        .collect::<Vec<_>>();
    assert_eq!(processes.len(), 3, "{line}");
    assert!(processes.iter().all(|pid| lives(*pid)));
    let files = files_of(display);
    assert!(!files.is_empty());
    owner.kill().unwrap();
    owner.wait().unwrap();
    assert!(
        within(Duration::from_secs(1), || !processes.iter().any(|pid| lives(*pid))
            && !remain(display, &files)),
        "left: {:?} {:?}",
        processes.iter().filter(|pid| lives(**pid)).collect::<Vec<_>>(),
        files_of(display)
    );
}

#[test]
fn only_this_user_gets_in() {
    let session = PrivateX::start(&small()).unwrap();
    let x11 = X11::connect(Some(session.display())).unwrap();
    let hosts = x11.reply("hosts", x11.conn().list_hosts()).unwrap();
    assert_eq!(u8::from(hosts.mode), 1, "access control is on");
    let me = format!("localuser\0#{}", rustix::process::getuid().as_raw());
    let allowed = hosts.hosts.iter().map(|host| host.address.clone()).collect::<Vec<_>>();
    assert_eq!(allowed, [me.into_bytes()]);
    // With the entry taken away again nobody gets in: there is no other door.
    let me = format!("localuser\0#{}", rustix::process::getuid().as_raw());
    x11.conn()
        .change_hosts(HostMode::DELETE, Family::SERVER_INTERPRETED, me.as_bytes())
        .unwrap()
        .check()
        .unwrap();
    assert!(X11::connect(Some(session.display())).is_err());
}

#[test]
fn a_server_that_is_gone_is_seen_and_cleaned_up() {
    let session = PrivateX::start(&PrivateXOptions { window_manager: false, ..small() }).unwrap();
    assert!(session.manager().is_none() && session.warnings().is_empty());
    let display = session.display().to_owned();
    kill_process(pid(&session.server.child.lock().unwrap()).unwrap(), Signal::KILL).unwrap();
    assert!(within(Duration::from_secs(5), || !session.is_running()));
    let files = files_of(&display);
    assert!(!files.is_empty(), "a killed server leaves its files");
    drop(session);
    assert!(!remain(&display, &files));
}

#[test]
fn bad_options_are_refused_with_the_servers_own_words() {
    let bad = PrivateXOptions { extra_args: vec!["-no-such-option".into()], ..small() };
    let error = PrivateX::start(&bad).unwrap_err();
    assert!(error.to_string().contains("-no-such-option"), "{error}");
    assert_eq!(error.tried[0].remedy.as_deref(), Some("apt-get install xvfb openbox"));
    let empty = PrivateXOptions { size: Size::new(0, 200), ..small() };
    assert!(PrivateX::start(&empty).is_err());
}
