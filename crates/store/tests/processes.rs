//! Several processes, and processes that die. A child is this test program again, told by a variable what to do.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, clippy::print_stdout)]

use crossmacro_model::expansion::Expansion;
use crossmacro_model::settings::Value;
use crossmacro_store::archive::{Archive, ImportOptions, import};
use crossmacro_store::held::HeldRecords;
use crossmacro_store::{
    Directories, Expansions, Folder, Loaded, ProfileFault, Profiles, SaveError, SettingsFault, SettingsHandle,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::fs::{FlockOperation, Mode, OFlags};
use serde_json::{Value as Json, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const ROLE: &str = "CROSSMACRO_STORE_TEST_ROLE";
const HOME: &str = "CROSSMACRO_STORE_TEST_HOME";
const LIST: &str = "profiles/default/text-expansions.json";
const PROFILE: &str = "profiles/default/settings.json";

/// What a child does; in the parent, nothing.
#[test]
fn child() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let home = std::env::var_os(HOME).unwrap();
    let directories = Directories::beneath(Path::new(&home));
    let (role, argument) = role.split_once('=').unwrap();
    match role {
        "add" => add(&Folder::new(&directories.config), argument),
        "set" => set(&SettingsHandle::open(&directories), &directories, argument),
        "count" => count(&SettingsHandle::open(&directories), argument.parse().unwrap()),
        "expand" => expand(&Folder::new(&directories.config), argument),
        "profiles" => make_profiles(&Folder::new(&directories.config), argument),
        "import" => import_for_ever(&Folder::new(&directories.config), argument),
        "mend" => mend(&SettingsHandle::open(&directories), &directories.config),
        "full" => full(&SettingsHandle::open(&directories)),
        "hold" => hold(&directories.config),
        "lockless" => {
            lockless(&SettingsHandle::open(&directories), argument);
            // A record that nobody could tell from that of a dead process is none, and leaves nothing.
            assert!(HeldRecords::new(&directories).create(":7").is_none());
            assert_eq!(fs::read_dir(Path::new(&home).join("runtime/held")).unwrap().count(), 0);
        }
        other => panic!("{other}"),
    }
}

/// Adds 50 entries to a list, one save each.
fn add(folder: &Folder, name: &str) {
    for number in 0..50 {
        let locked = folder.lock().unwrap();
        let mut list = match locked.read(Path::new(LIST)) {
            Loaded::Good(list) => list,
            Loaded::Missing => json!([]),
            Loaded::Damaged(damage) => panic!("{damage}"),
        };
        list.as_array_mut().unwrap().push(json!({"trigger": format!("{name}{number}")}));
        locked.write(Path::new(LIST), &list).unwrap();
    }
}

/// Adds 50 text expansions as the operations do.
fn expand(folder: &Folder, name: &str) {
    for number in 0..50 {
        Expansions::new(folder, None).add(Expansion::new(format!("{name}{number}"), "x")).unwrap();
    }
}

/// Makes profiles and removes each second one, for ever, and says what is there for good.
fn make_profiles(folder: &Folder, from: &str) {
    let profiles = Profiles::new(folder);
    for number in from.parse::<u64>().unwrap().. {
        profiles.create(&format!("n{number}")).unwrap();
        profiles.create("passing").unwrap();
        profiles.delete("passing").unwrap();
        println!("saved {number}");
    }
}

/// The profile of generation `number`: each of its files says which one it is.
fn generation(number: u64) -> Archive {
    let mut tape = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let mut add = |name: &str, text: &str| {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o600);
        tape.append_data(&mut header, name, text.as_bytes()).unwrap();
    };
    add("manifest.json", r#"{"format": "crossmacro-profile", "version": 1, "name": "Guest", "macros": []}"#);
    add("settings.json", &json!({"loopCount": number}).to_string());
    for list in ["shortcuts.json", "schedules.json", "triggers.json", "text-expansions.json"] {
        add(list, &json!([{"number": number}]).to_string());
    }
    for name in ["a", "b", "c"] {
        add(&format!("macros/{name}.macro"), &number.to_string());
    }
    Archive::read(tape.into_inner().unwrap().finish().unwrap().as_slice()).unwrap()
}

/// Puts one generation after the other in the place of a profile, for ever.
fn import_for_ever(folder: &Folder, from: &str) {
    let options = ImportOptions { replace: true, is_trusted: true, ..ImportOptions::default() };
    for number in from.parse::<u64>().unwrap().. {
        import(folder, generation(number), &options, false).unwrap();
        println!("saved {number}");
    }
}

/// Damages a file and saves over it, for ever.
fn mend(handle: &SettingsHandle, config: &Path) {
    for number in 0_u64.. {
        fs::write(config.join("global-settings.json"), "{\"theme\": \"No").unwrap();
        handle.set("ui.trayIcon", if number % 2 == 0 { "on" } else { "off" }).unwrap();
        println!("saved {number}");
    }
}

/// Sets one key 50 times, and looks each time whether what it set before was still there.
fn set(handle: &SettingsHandle, directories: &Directories, key: &str) {
    let property = key.strip_prefix("playback.").unwrap();
    for number in 1..=50 {
        handle.set(key, &number.to_string()).unwrap();
        let text = fs::read_to_string(directories.config.join(PROFILE)).unwrap();
        assert_eq!(serde_json::from_str::<Json>(&text).unwrap()[property], number, "{text}");
    }
}

/// Sets a counter for ever, and says each value once it is saved.
fn count(handle: &SettingsHandle, from: i64) {
    for number in from.. {
        handle.set("playback.loopCount", &number.to_string()).unwrap();
        println!("saved {number}");
    }
}

/// Tries to save where no byte can be written.
fn full(handle: &SettingsHandle) {
    let fault = handle.set("ui.theme", "Latte").unwrap_err();
    assert!(matches!(fault, SettingsFault::Save(SaveError::Io { .. })), "{fault}");
    assert_eq!(handle.current().get("ui.theme").unwrap().value, Value::Text("Nord".into()));
}

/// Holds the lock until it is killed.
fn hold(config: &Path) {
    fs::create_dir_all(config).unwrap();
    let flags = OFlags::RDWR | OFlags::CREATE;
    let file = rustix::fs::open(config.join(".lock"), flags, Mode::RUSR | Mode::WUSR).unwrap();
    rustix::fs::flock(&file, FlockOperation::LockExclusive).unwrap();
    println!("held");
    std::io::stdin().lines().for_each(drop);
}

/// Saves on a file system that has no locks: this process is refused every `flock`, with the error of such a file system.
fn lockless(handle: &SettingsHandle, text: &str) {
    no_locks::refuse();
    let speed = handle.current().get("playback.speed").unwrap().value.clone();
    assert_eq!(speed, Value::Number(2.0), "reading needs no lock");
    let fault = handle.set("playback.speed", text).unwrap_err();
    let told = fault.to_string();
    assert!(matches!(fault, SettingsFault::Save(SaveError::NoLocks)), "{told}");
}

/// A filter of system calls (seccomp(2)) for this process: the kernel itself answers as a network file system would.
#[allow(
    unsafe_code,
    clippy::cast_possible_truncation,
    reason = "the filter is given to the kernel as a raw program of 16 bit codes"
)]
mod no_locks {
    /// Answers `flock` with ENOLCK from now on, in every thread that the caller starts.
    pub(super) fn refuse() {
        const LOAD_NUMBER: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
        const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
        const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
        let step = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
        let refused = libc::SECCOMP_RET_ERRNO | u32::try_from(libc::ENOLCK).unwrap();
        let mut program = [
            // The number of the call is the first field of what the filter sees.
            step(LOAD_NUMBER, 0, 0, 0),
            step(JUMP_EQUAL, 0, 1, u32::try_from(libc::SYS_flock).unwrap()),
            step(RETURN, 0, 0, refused),
            step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
        ];
        let filter = libc::sock_fprog { len: 4, filter: program.as_mut_ptr() };
        // SAFETY: both calls take plain numbers and a program that outlives them; they change this process only.
        let results = unsafe {
            [
                libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
                libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter),
            ]
        };
        assert_eq!(results, [0, 0]);
    }
}

fn start(role: &str, home: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["child", "--exact", "--nocapture"])
        .env(ROLE, role)
        .env(HOME, home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn home() -> TempDir {
    TempDir::with_prefix("crossmacro-processes-").unwrap()
}

fn end_well(children: Vec<Child>) {
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn two_processes_adding_lose_nothing() {
    let home = home();
    end_well(["add=a", "add=b"].map(|role| start(role, home.path())).into());
    let text = fs::read_to_string(home.path().join("config").join(LIST)).unwrap();
    let list: Vec<Json> = serde_json::from_str(&text).unwrap();
    let mut triggers: Vec<_> = list.iter().map(|entry| entry["trigger"].as_str().unwrap()).collect();
    triggers.sort_unstable();
    triggers.dedup();
    assert_eq!(triggers.len(), 100);
}

#[test]
fn two_processes_adding_expansions_lose_none() {
    let home = home();
    end_well(["expand=a", "expand=b"].map(|role| start(role, home.path())).into());
    let text = fs::read_to_string(home.path().join("config").join(LIST)).unwrap();
    let list: Vec<Json> = serde_json::from_str(&text).unwrap();
    let mut triggers: Vec<_> = list.iter().map(|entry| entry["trigger"].as_str().unwrap()).collect();
    triggers.sort_unstable();
    triggers.dedup();
    assert_eq!(triggers.len(), 100);
    let own: Vec<_> = list.iter().filter_map(|entry| entry["trigger"].as_str()?.strip_prefix('a')).collect();
    assert_eq!(own, (0..50).map(|number| number.to_string()).collect::<Vec<_>>(), "in their order");
}

#[test]
fn killed_while_profiles_come_and_go_the_registry_is_whole() {
    let home = home();
    let config = home.path().join("config");
    let (mut dice, mut last) = (Dice(11), 0_u64);
    for _ in 0..25 {
        let mut child = start(&format!("profiles={}", last + 1), home.path());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let wanted = usize::try_from(dice.below(3) + 1).unwrap();
        let until = Duration::from_micros(dice.below(20_000));
        let mut saved = lines.filter_map(|line| line.strip_prefix("saved ")?.parse::<u64>().ok());
        for number in saved.by_ref().take(wanted) {
            last = number;
        }
        let begun = Instant::now();
        while begun.elapsed() < until {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        last = saved.last().unwrap_or(last);
        child.wait().unwrap();

        let text = fs::read_to_string(config.join("profile-registry.json")).unwrap();
        let registry: Json = serde_json::from_str(&text).unwrap();
        let names: Vec<_> = registry["profiles"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap())
            .collect();
        for number in 1..=last {
            assert!(names.contains(&format!("n{number}").as_str()), "n{number} was saved");
        }
        for one in registry["profiles"].as_array().unwrap().iter().skip(1) {
            let folder = config.join("profiles").join(one["id"].as_str().unwrap());
            assert_eq!(fs::read_to_string(folder.join("shortcuts.json")).unwrap(), "[]\n");
        }
        // Every folder is that of a profile once the next process has started.
        drop(SettingsHandle::open(&Directories::beneath(home.path())));
        let mut folders: Vec<String> = fs::read_dir(config.join("profiles"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let listed =
            |id: &String| registry["profiles"].as_array().unwrap().iter().any(|one| one["id"] == **id);
        folders.retain(|id| !listed(id) && id != "default");
        assert_eq!(folders, Vec::<String>::new());
        // The one that the kill left behind would be in the way of the next child's names.
        let folder = Folder::new(&config);
        for name in [format!("n{}", last + 1), "passing".to_owned()] {
            match Profiles::new(&folder).delete(&name) {
                Ok(_) | Err(ProfileFault::Unknown { .. }) => {}
                Err(fault) => panic!("{fault}"),
            }
        }
    }
}

/// Lets a child work until it has said `wanted` numbers and a moment longer, and kills it. The last number that it said.
fn kill_at_some_moment(role: &str, home: &Path, dice: &mut Dice, microseconds: u64) -> Option<u64> {
    let mut child = start(role, home);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut saved = lines.filter_map(|line| line.strip_prefix("saved ")?.parse::<u64>().ok());
    let wanted = usize::try_from(dice.below(3) + 1).unwrap();
    let first = saved.by_ref().take(wanted).last();
    let until = Instant::now() + Duration::from_micros(dice.below(microseconds));
    while Instant::now() < until {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    let last = saved.last().or(first);
    child.wait().unwrap();
    last
}

#[test]
fn killed_while_a_profile_is_replaced_all_of_it_is_old_or_all_is_new() {
    let home = home();
    let config = home.path().join("config");
    let place = config.join("profiles/guest");
    let (mut dice, mut last, mut cut) = (Dice(3), 0_u64, 0);
    for _ in 0..40 {
        let from = format!("import={}", last + 1);
        last = kill_at_some_moment(&from, home.path(), &mut dice, 60_000).unwrap_or(last);
        cut += u32::from(all_names(&config).iter().any(|name| name.starts_with(".crossmacro-import")));
        drop(SettingsHandle::open(&Directories::beneath(home.path())));

        let json = |file: &str| -> Json {
            serde_json::from_str(&fs::read_to_string(place.join(file)).unwrap()).unwrap()
        };
        let number = json("settings.json")["loopCount"].as_u64().unwrap();
        assert!(number == last || number == last + 1, "{last} was reported, {number} is there");
        for list in ["shortcuts.json", "schedules.json", "triggers.json", "text-expansions.json"] {
            assert_eq!(json(list)[0]["number"], number, "{list}");
        }
        for name in ["a", "b", "c"] {
            let text = fs::read_to_string(place.join(format!("macros/{name}.macro"))).unwrap();
            assert_eq!(text, number.to_string(), "{name}");
        }
        let litter = all_names(&config).into_iter().find(|name| name.starts_with(".crossmacro-"));
        assert_eq!(litter, None);
        last = number;
        // What was replaced is kept on purpose; here it would only slow the next round.
        for folder in [place.clone(), place.join("macros")] {
            for name in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
                if name.to_string_lossy().contains(".replaced-") {
                    fs::remove_file(name).unwrap();
                }
            }
        }
    }
    println!("{cut} imports were cut short");
    assert!(cut > 0, "no import was cut short");
}

#[test]
fn killed_while_a_damaged_file_is_saved_over_the_last_saved_state_is_never_lost() {
    let home = home();
    let config = home.path().join("config");
    let handle = SettingsHandle::open(&Directories::beneath(home.path()));
    handle.set("ui.theme", "Nord").unwrap();
    let mut dice = Dice(5);
    for _ in 0..40 {
        kill_at_some_moment("mend=", home.path(), &mut dice, 10_000);
        let good = ["global-settings.json", "global-settings.json.bak"]
            .map(|file| fs::read_to_string(config.join(file)).unwrap())
            .iter()
            .any(|text| serde_json::from_str::<Json>(text).is_ok_and(|json| json["theme"] == "Nord"));
        assert!(good, "neither the file nor its copy is whole");
        for name in fs::read_dir(&config).unwrap().map(|entry| entry.unwrap().path()) {
            if name.to_string_lossy().contains(".corrupt-") {
                fs::remove_file(name).unwrap();
            }
        }
    }
}

#[test]
fn two_processes_setting_see_their_own_values() {
    let home = home();
    let roles = ["set=playback.loopCount", "set=playback.loopDelayMs", "set=playback.countdownSeconds"];
    end_well(roles.map(|role| start(role, home.path())).into());
    let settings = SettingsHandle::open(&Directories::beneath(home.path())).current();
    for key in ["playback.loopCount", "playback.loopDelayMs", "playback.countdownSeconds"] {
        assert_eq!(settings.get(key).unwrap().value, Value::Integer(50), "{key}");
    }
}

/// A sequence that looks random and is the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Every name in the configuration folder, below it too.
fn all_names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        names.push(entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            names.extend(all_names(&entry.path()));
        }
    }
    names
}

#[test]
fn killed_at_any_moment_a_whole_file_is_left_and_no_litter() {
    let home = home();
    let config = home.path().join("config");
    let (mut dice, mut last, mut saves, mut littered) = (Dice(7), 0_i64, 0, 0);
    // A kill rarely hits the moment at which there is a temporary file: go on until one has.
    while saves < 1_000 || (littered == 0 && saves < 10_000) {
        let mut child = start(&format!("count={}", last + 1), home.path());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let wanted = dice.below(40) + 1;
        let mut number = |line: &str| {
            if let Some(number) = line.strip_prefix("saved ") {
                last = number.parse().unwrap();
                saves += 1;
            }
        };
        for line in
            lines.by_ref().filter(|line| line.starts_with("saved ")).take(usize::try_from(wanted).unwrap())
        {
            number(&line);
        }
        let until = Instant::now() + Duration::from_micros(dice.below(3_000));
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        lines.for_each(|line| number(&line));
        child.wait().unwrap();

        let text = fs::read_to_string(config.join(PROFILE)).unwrap();
        let found = serde_json::from_str::<Json>(&text).unwrap()["loopCount"].as_i64().unwrap();
        assert!(found == last || found == last + 1, "{last} was reported as saved, and {found} is there");
        last = found;
        let is_litter = |name: &&String| name.ends_with(".tmp");
        littered += all_names(&config).iter().filter(is_litter).count();
        drop(SettingsHandle::open(&Directories::beneath(home.path())));
        assert_eq!(all_names(&config).iter().find(is_litter), None);
    }
    println!("{saves} saves, {littered} files of dead processes removed");
    assert!(littered > 0, "no process was killed in the middle of a save");
}

#[test]
fn a_lock_that_is_held_is_an_error_and_a_dead_holder_is_none() {
    let home = home();
    let mut holder = start("hold=", home.path());
    let lines = BufReader::new(holder.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.into_iter().any(|line| line.ends_with("held")));
    let handle = SettingsHandle::open(&Directories::beneath(home.path()));
    let _readable = handle.current();
    let refused = handle.set("ui.theme", "Nord");
    assert!(matches!(refused, Err(SettingsFault::Save(SaveError::InUse))), "{refused:?}");
    holder.kill().unwrap();
    holder.wait().unwrap();
    handle.set("ui.theme", "Nord").unwrap();
    assert_eq!(handle.current().get("ui.theme").unwrap().value, Value::Text("Nord".into()));
}

#[test]
fn a_folder_that_vanishes_is_made_again_and_one_that_can_not_be_is_an_error() {
    let home = home();
    let handle = SettingsHandle::open(&Directories::beneath(home.path()));
    handle.set("ui.theme", "Nord").unwrap();
    fs::remove_dir_all(home.path().join("config")).unwrap();
    assert_eq!(handle.current().get("ui.theme").unwrap().value, Value::Text("Mocha".into()));
    handle.set("ui.theme", "Latte").unwrap();
    assert_eq!(handle.current().get("ui.theme").unwrap().value, Value::Text("Latte".into()));
    fs::remove_dir_all(home.path()).unwrap();
    fs::write(home.path(), "in the way").unwrap();
    let fault = handle.set("ui.theme", "Nord").unwrap_err();
    assert!(matches!(fault, SettingsFault::Save(SaveError::Io { .. })), "{fault}");
    fs::remove_file(home.path()).unwrap();
    fs::create_dir(home.path()).unwrap();
}

#[test]
fn a_full_disk_leaves_the_old_file_and_no_litter() {
    let home = home();
    let config = home.path().join("config");
    let handle = SettingsHandle::open(&Directories::beneath(home.path()));
    handle.set("ui.theme", "Nord").unwrap();
    let read = |file: &str| fs::read_to_string(config.join(file)).unwrap();
    for damaged in [None, Some("{")] {
        if let Some(damaged) = damaged {
            fs::write(config.join("global-settings.json"), damaged).unwrap();
        }
        let (before, backup) = (read("global-settings.json"), read("global-settings.json.bak"));
        // A file of at most 0 bytes is for the writer what a full disk is.
        let child = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" child --exact --nocapture"])
            .arg(std::env::current_exe().unwrap())
            .env(ROLE, "full=")
            .env(HOME, home.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        end_well(vec![child]);
        assert_eq!((read("global-settings.json"), read("global-settings.json.bak")), (before, backup));
        assert!(!all_names(&config).iter().any(|name| name.ends_with(".tmp") || name.contains("corrupt")));
    }
}

#[test]
fn a_read_only_folder_can_be_read_and_refuses_clearly() {
    let home = home();
    let config = home.path().join("config");
    let directories = Directories::beneath(home.path());
    SettingsHandle::open(&directories).set("ui.theme", "Nord").unwrap();
    let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    open(home.path(), 0o755);
    open(&config.join("global-settings.json"), 0o444);
    open(&config.join(".lock"), 0o666);
    open(&config, 0o555);
    let before = all_names(&config).len();
    // Root may write everywhere; this thread gives that up.
    let user = std::thread::spawn(move || {
        if rustix::process::geteuid().is_root() {
            rustix::thread::set_thread_uid(rustix::fs::Uid::from_raw(65_534)).unwrap();
        }
        let handle = SettingsHandle::open(&directories);
        assert_eq!(handle.current().get("ui.theme").unwrap().value, Value::Text("Nord".into()));
        handle.set("ui.theme", "Latte").unwrap_err()
    });
    let fault = user.join().unwrap();
    assert!(matches!(fault, SettingsFault::Save(SaveError::Io { .. })), "{fault}");
    assert!(fault.to_string().contains("PermissionDenied"), "{fault}");
    assert_eq!(all_names(&config).len(), before);
    assert!(fs::read_to_string(config.join("global-settings.json")).unwrap().contains("Nord"));
    open(&config, 0o755);
    std::io::stdout().flush().unwrap();
}

#[test]
fn without_locks_saving_is_refused_and_what_was_saved_stays() {
    let home = home();
    let directories = Directories::beneath(home.path());
    SettingsHandle::open(&directories).set("playback.speed", "2").unwrap();
    let before = fs::read(directories.config.join(PROFILE)).unwrap();
    end_well(vec![start("lockless=3", home.path())]);
    assert_eq!(fs::read(directories.config.join(PROFILE)).unwrap(), before);
}
