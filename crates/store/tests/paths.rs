//! Paths that a caller names, against a real file system.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

use crossmacro_model::{Code, Fault};
use crossmacro_policy::{PathClass, Roots};
use crossmacro_store::paths::{PathFault, create_replace, open_read};
use rustix::fs::{CWD, FileType, Mode, RenameFlags};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

const SECRET: &str = "forbidden";
const PUBLIC: &str = "allowed";

/// `root/` with all kinds of things in it, `outside/` with a secret, and `elsewhere`, a link to `root`.
struct Tree {
    home: TempDir,
}

impl Tree {
    fn new() -> Self {
        let home = TempDir::with_prefix("crossmacro-paths-").unwrap();
        let tree = Self { home };
        for folder in ["root/sub", "root/folder.png", "outside", "root2"] {
            fs::create_dir_all(tree.at(folder)).unwrap();
        }
        for file in ["root/a.png", "root/sub/b.png", "root/a.macro", "root/A.PNG", "root/named twice.png"] {
            fs::write(tree.at(file), PUBLIC).unwrap();
        }
        for file in ["outside/secret.png", "root2/x.png", "outside/linked.png"] {
            fs::write(tree.at(file), SECRET).unwrap();
        }
        fs::hard_link(tree.at("outside/linked.png"), tree.at("root/hard.png")).unwrap();
        fs::hard_link(tree.at("root/named twice.png"), tree.at("root/sub/other name.png")).unwrap();
        for (target, link) in [
            (tree.at("outside/secret.png"), "root/link.png"),
            (tree.at("root/a.png"), "root/inner.png"),
            (tree.at("nothing"), "root/dangling.png"),
            (tree.at("outside"), "root/way"),
            (tree.at("root"), "elsewhere"),
            (PathBuf::from("../outside/secret.png"), "root/relative.png"),
            (PathBuf::from("loop.png"), "root/loop.png"),
        ] {
            symlink(target, tree.at(link)).unwrap();
        }
        let mode = Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(CWD, tree.at("root/fifo.png"), FileType::Fifo, mode, 0).unwrap();
        rustix::fs::mknodat(CWD, tree.at("root/socket.png"), FileType::Socket, mode, 0).unwrap();
        tree
    }

    /// `path` below the temporary folder, byte by byte as given.
    fn at(&self, path: &str) -> PathBuf {
        PathBuf::from(format!("{}/{path}", self.home.path().to_str().unwrap()))
    }

    fn root(&self) -> Roots {
        Roots::new([self.at("root")])
    }
}

fn content(class: PathClass, path: &Path, roots: &Roots) -> Result<String, PathFault> {
    let mut opened = open_read(class, path, roots)?;
    let mut text = String::new();
    opened.file.read_to_string(&mut text).unwrap();
    assert_eq!(u64::try_from(text.len()).unwrap(), opened.len);
    Ok(text)
}

#[test]
fn reading_below_a_root() {
    use Code::{FileError, InvalidArguments, PathNotAllowed};
    let tree = Tree::new();
    let table: &[(&str, Result<(), Code>)] = &[
        ("root/a.png", Ok(())),
        ("root/sub/b.png", Ok(())),
        ("root//sub/./b.png", Ok(())),
        ("root/A.PNG", Ok(())),
        ("root/a.png/", Err(InvalidArguments)),
        ("root/a.png/.", Err(InvalidArguments)),
        ("root/a.png.", Err(InvalidArguments)),
        ("root/a.png ", Err(InvalidArguments)),
        ("root/a.png\0", Err(InvalidArguments)),
        ("root/a.macro", Err(InvalidArguments)),
        ("root/sub/../a.png", Err(InvalidArguments)),
        ("root/../outside/secret.png", Err(InvalidArguments)),
        ("root/folder.png", Err(InvalidArguments)),
        ("root/fifo.png", Err(InvalidArguments)),
        ("root/socket.png", Err(InvalidArguments)),
        ("root/missing.png", Err(FileError)),
        ("root/nowhere/missing.png", Err(FileError)),
        ("root/a.png/b.png", Err(FileError)),
        ("ROOT/a.png", Err(PathNotAllowed)),
        ("root/link.png", Err(PathNotAllowed)),
        ("root/inner.png", Err(PathNotAllowed)),
        ("root/relative.png", Err(PathNotAllowed)),
        ("root/dangling.png", Err(PathNotAllowed)),
        ("root/loop.png", Err(PathNotAllowed)),
        ("root/way/secret.png", Err(PathNotAllowed)),
        ("root/hard.png", Err(PathNotAllowed)),
        ("root/named twice.png", Err(PathNotAllowed)),
        ("elsewhere/a.png", Err(PathNotAllowed)),
        ("outside/secret.png", Err(PathNotAllowed)),
        ("outside/no such file.png", Err(PathNotAllowed)),
        ("root2/x.png", Err(PathNotAllowed)),
        ("roo/x.png", Err(PathNotAllowed)),
        ("x.png", Err(PathNotAllowed)),
    ];
    for (path, expected) in table {
        let found = content(PathClass::ImageRead, &tree.at(path), &tree.root());
        let codes = found.as_ref().map(|text| assert_eq!(text, PUBLIC)).map_err(PathFault::code);
        assert_eq!(codes, *expected, "{path:?}: {found:?}");
        if let Err(fault) = found {
            let message = fault.to_string();
            assert!(message.contains(&path.escape_debug().to_string()), "the path as given: {message}");
            assert!(!message.contains("outside/") || path.contains("outside/"), "no other path: {message}");
        }
    }
}

#[test]
fn reading_without_roots_follows_folders_but_never_the_file() {
    let tree = Tree::new();
    let table: &[(&str, Option<Code>)] = &[
        ("root/a.png", None),
        ("elsewhere/a.png", None),
        ("root/way/../a.png", Some(Code::InvalidArguments)),
        ("root/link.png", Some(Code::PathNotAllowed)),
        ("root/inner.png", Some(Code::PathNotAllowed)),
        ("root/dangling.png", Some(Code::PathNotAllowed)),
        ("root/hard.png", Some(Code::PathNotAllowed)),
        ("root/fifo.png", Some(Code::InvalidArguments)),
        ("root/missing.png", Some(Code::FileError)),
    ];
    for (path, expected) in table {
        let found = content(PathClass::ImageRead, &tree.at(path), &Roots::UNLIMITED);
        assert_eq!(found.as_ref().err().map(PathFault::code), *expected, "{path:?}: {found:?}");
    }
    let secret = content(PathClass::ImageRead, &tree.at("root/way/secret.png"), &Roots::UNLIMITED).unwrap();
    assert_eq!(secret, SECRET, "the user's own links between folders work where there is no limit");
    let device = open_read(PathClass::FileRead, Path::new("/dev/null"), &Roots::UNLIMITED).unwrap_err();
    assert_eq!(device.code(), Code::InvalidArguments);
}

#[test]
fn the_magic_links_of_proc_lead_nowhere() {
    let tree = Tree::new();
    let secret = tree.at("outside/secret.png");
    let file = fs::File::open(&secret).unwrap();
    let number = std::os::fd::AsRawFd::as_raw_fd(&file);
    let through_root = PathBuf::from(format!("/proc/self/root{}", secret.display()));
    let whole = Roots::new(["/"]);
    for (path, roots) in [
        (through_root.clone(), &whole),
        (through_root, &tree.root()),
        (PathBuf::from(format!("/proc/self/fd/{number}")), &Roots::UNLIMITED),
        (PathBuf::from(format!("/proc/{}/fd/{number}", std::process::id())), &whole),
        (PathBuf::from("/proc/self/exe"), &Roots::UNLIMITED),
    ] {
        let fault = open_read(PathClass::FileRead, &path, roots).unwrap_err();
        assert_eq!(fault.code(), Code::PathNotAllowed, "{fault}");
    }
    assert_eq!(
        content(PathClass::FileRead, &tree.at("root/a.png"), &whole).unwrap(),
        PUBLIC,
        "`/` is a legal root"
    );
}

#[test]
fn invalid_roots_are_ignored_and_named_by_their_place() {
    let tree = Tree::new();
    let good = tree.at("root/a.png");
    let valid = tree.at("root").display().to_string();
    let with_link = tree.at("elsewhere").display().to_string();
    let behind_link = tree.at("elsewhere/sub").display().to_string();
    let file = tree.at("root/a.macro").display().to_string();
    let gone = tree.at("gone").display().to_string();
    let roots = Roots::parse(&format!("relative;{with_link};{behind_link};{file};{gone};{valid}"));
    assert_eq!(content(PathClass::ImageRead, &good, &roots).unwrap(), PUBLIC);
    let fault = open_read(PathClass::ImageRead, &tree.at("outside/secret.png"), &roots).unwrap_err();
    let message = fault.to_string();
    assert!(message.contains("lies outside the folders of mcp.paths.imageRead"), "{message}");
    for part in
        ["folder 1 is not a usable", "folder 2 is a symb", "folder 3 is a symb", "folder 4 is not a folder"]
    {
        assert!(message.contains(part), "{message}");
    }
    assert!(message.contains("folder 5 does not exist") && !message.contains("folder 6"), "{message}");
    assert!(!message.contains("elsewhere") && !message.contains("gone"), "{message}");

    let none = Roots::parse(&format!("relative;{with_link}"));
    let fault = Fault::from(open_read(PathClass::ImageRead, &good, &none).unwrap_err());
    assert_eq!(fault.code, Code::PathNotAllowed);
    assert!(fault.message.contains("no folder of mcp.paths.imageRead is valid"), "{}", fault.message);
    assert_eq!(fault.details["invalidRoots"].as_array().unwrap().len(), 2);
    let through = open_read(PathClass::ImageRead, &tree.at("elsewhere/a.png"), &none).unwrap_err();
    assert_eq!(
        through.code(),
        Code::PathNotAllowed,
        "a root that is a link allows nothing below its own name"
    );
}

#[test]
fn a_root_that_vanishes_denies() {
    let tree = Tree::new();
    let roots = tree.root();
    assert!(open_read(PathClass::ImageRead, &tree.at("root/a.png"), &roots).is_ok());
    fs::rename(tree.at("root"), tree.at("was root")).unwrap();
    let fault = open_read(PathClass::ImageRead, &tree.at("root/a.png"), &roots).unwrap_err();
    assert_eq!(fault.code(), Code::PathNotAllowed);
    symlink(tree.at("outside"), tree.at("root")).unwrap();
    let fault = open_read(PathClass::ImageRead, &tree.at("root/secret.png"), &roots).unwrap_err();
    assert_eq!(fault.code(), Code::PathNotAllowed);
}

#[test]
fn a_hostile_path_makes_a_short_and_printable_message() {
    let path = format!("/{}", "\u{1b}[31m\n".repeat(500));
    let fault = open_read(PathClass::FileRead, Path::new(&path), &Roots::UNLIMITED).unwrap_err();
    let message = fault.to_string();
    assert!(message.len() < 3_000 && message.chars().all(|one| !one.is_control()), "{message}");
}

fn write(class: PathClass, path: &Path, roots: &Roots, text: &str) -> Result<(), PathFault> {
    let mut file = create_replace(class, path, roots)?;
    file.write_all(text.as_bytes()).unwrap();
    file.commit()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn writing_replaces_whole_files_and_touches_nothing_else() {
    use Code::{FileError, InvalidArguments, PathNotAllowed};
    let tree = Tree::new();
    let table: &[(&str, Option<Code>)] = &[
        ("root/new.png", None),
        ("root/sub/new.JPEG", None),
        ("root/a.png", None),
        ("root/new.gif", Some(InvalidArguments)),
        ("root/folder.png", Some(InvalidArguments)),
        ("root/fifo.png", Some(InvalidArguments)),
        ("root/socket.png", Some(InvalidArguments)),
        ("root/nowhere/new.png", Some(FileError)),
        ("root/link.png", Some(PathNotAllowed)),
        ("root/dangling.png", Some(PathNotAllowed)),
        ("root/hard.png", Some(PathNotAllowed)),
        ("root/way/new.png", Some(PathNotAllowed)),
        ("outside/new.png", Some(PathNotAllowed)),
        ("elsewhere/new.png", Some(PathNotAllowed)),
    ];
    let before = names(&tree.at("root"));
    for (path, expected) in table {
        let path = tree.at(path);
        let done = write(PathClass::ImageWrite, &path, &tree.root(), "written");
        assert_eq!(done.as_ref().err().map(PathFault::code), *expected, "{done:?}");
        if expected.is_none() {
            assert_eq!(fs::read_to_string(&path).unwrap(), "written");
        }
    }
    let mut after = names(&tree.at("root"));
    after.retain(|name| name != "new.png");
    assert_eq!(after, before);
    assert_eq!(names(&tree.at("outside")), ["linked.png", "secret.png"]);
    for secret in ["outside/secret.png", "outside/linked.png"] {
        assert_eq!(fs::read_to_string(tree.at(secret)).unwrap(), SECRET);
    }
}

#[test]
fn a_file_that_is_not_committed_leaves_the_old_one_and_no_trace() {
    let tree = Tree::new();
    let path = tree.at("root/sub/b.png");
    let mut file = create_replace(PathClass::ImageWrite, &path, &tree.root()).unwrap();
    file.write_all(b"half").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), PUBLIC, "until the commit the old file is there");
    drop(file);
    assert_eq!(fs::read_to_string(&path).unwrap(), PUBLIC);
    assert_eq!(names(&tree.at("root/sub")), ["b.png", "other name.png"]);
}

#[test]
fn the_permissions_of_the_old_file_are_kept_without_the_dangerous_ones() {
    let tree = Tree::new();
    let path = tree.at("root/a.png");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4640)).unwrap();
    write(PathClass::ImageWrite, &path, &tree.root(), "x").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o640);
}

/// Exchanges two names as fast as it can until it is told to stop.
fn exchange(one: &Path, other: &Path, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        rustix::fs::renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
    }
}

/// Ends the exchange, also when the test fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `attempt` while `one` and `other` change places, until both answers have come often.
fn race(one: &Path, other: &Path, mut attempt: impl FnMut() -> bool) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| exchange(one, other, &stop));
        let _stop = Stop(&stop);
        let (mut allowed, mut refused) = (0, 0);
        for _ in 0..2_000_000 {
            if attempt() {
                allowed += 1;
            } else {
                refused += 1;
            }
            if allowed > 3_000 && refused > 3_000 {
                break;
            }
        }
        assert!(allowed > 3_000 && refused > 3_000, "there was no race: {allowed} {refused}");
    });
}

#[test]
fn a_file_swapped_for_a_link_never_leaks() {
    let tree = Tree::new();
    let path = tree.at("root/a.png");
    for roots in [tree.root(), Roots::UNLIMITED] {
        race(&path, &tree.at("root/link.png"), || {
            content(PathClass::ImageRead, &path, &roots).is_ok_and(|text| text == PUBLIC || panic!("leaked"))
        });
    }
}

#[test]
fn a_folder_swapped_for_a_link_never_leaks() {
    let tree = Tree::new();
    fs::write(tree.at("outside/b.png"), SECRET).unwrap();
    let (path, roots) = (tree.at("root/sub/b.png"), tree.root());
    race(&tree.at("root/sub"), &tree.at("root/way"), || {
        content(PathClass::ImageRead, &path, &roots).is_ok_and(|text| text == PUBLIC || panic!("leaked"))
    });
}

#[test]
fn a_root_swapped_for_a_link_never_leaks() {
    let tree = Tree::new();
    fs::write(tree.at("outside/a.png"), SECRET).unwrap();
    symlink(tree.at("outside"), tree.at("decoy")).unwrap();
    let (path, roots) = (tree.at("root/a.png"), tree.root());
    race(&tree.at("root"), &tree.at("decoy"), || {
        content(PathClass::ImageRead, &path, &roots).is_ok_and(|text| text == PUBLIC || panic!("leaked"))
    });
}

#[test]
fn a_fifo_swapped_in_never_hangs() {
    let tree = Tree::new();
    let (path, roots) = (tree.at("root/a.png"), tree.root());
    race(&path, &tree.at("root/fifo.png"), || {
        content(PathClass::ImageRead, &path, &roots).is_ok_and(|text| text == PUBLIC || panic!("not a file"))
    });
}

#[test]
fn a_file_swapped_for_a_hard_link_never_leaks() {
    let tree = Tree::new();
    let (path, roots) = (tree.at("root/a.png"), tree.root());
    race(&path, &tree.at("root/hard.png"), || {
        content(PathClass::ImageRead, &path, &roots).is_ok_and(|text| text == PUBLIC || panic!("leaked"))
    });
}

#[test]
fn nothing_is_written_through_a_folder_swapped_for_a_link() {
    let tree = Tree::new();
    let (path, roots) = (tree.at("root/sub/new.png"), tree.root());
    race(&tree.at("root/sub"), &tree.at("root/way"), || {
        create_replace(PathClass::ImageWrite, &path, &roots).is_ok_and(|mut file| {
            file.write_all(b"x").unwrap();
            assert_eq!(names(&tree.at("outside")), ["linked.png", "secret.png"]);
            true
        })
    });
    assert_eq!(names(&tree.at("outside")), ["linked.png", "secret.png"]);
    write(PathClass::ImageWrite, &tree.at("root/ok.png"), &roots, "x").unwrap();
}
