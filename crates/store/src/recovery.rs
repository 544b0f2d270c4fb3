//! What a process that died in the middle of a change has left: finished where the change had been decided, undone
//! where it had not. Everything here happens under the folder's lock.
//!
//! * **Temporary files** of single saves are removed.
//! * **Many files as one change** ([`replace_all`]): they are written into `.crossmacro-import-staged` in the
//!   configuration folder first; that folder gets the name `.crossmacro-import`, which decides it; each file is put in
//!   its place; the folder goes. One that is staged only is removed, one that is decided is carried out again by the
//!   next process that starts or saves. To put a file in place twice is to put it there once.
//! * **A profile that comes or goes** has the mark `.crossmacro-unlisted` in its folder while the registry is changed.
//!   With the mark, a folder that the registry does not list is removed; one that it lists loses the mark. A folder
//!   without mark and entry is somebody's: it is left alone.
//! * A folder that is removed gets another name first, so that no half of it is ever taken for a whole.

use crate::archive::{DOCUMENTS, is_macro_name};
use crate::folder::{Damage, Loaded, Locked, SaveError, TEMPORARY};
use crate::new_file::{is_temporary, sync_folder, temporary_name};
use crate::settings::registry;
use crossmacro_model::limits;
use rustix::fs::{Mode, OFlags};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const STAGED: &str = ".crossmacro-import-staged";
const DECIDED: &str = ".crossmacro-import";
/// In those two: the id of the profile that the files are for.
const PROFILE: &str = "profile";

const UNLISTED: &str = ".crossmacro-unlisted";
const DISCARDED: &str = ".crossmacro-discarded-";

/// Entries of a folder that are looked at.
const MOST: usize = 10_000;

/// Puts files of one profile in their places, all of them or none, whatever happens meanwhile. What they replace
/// stays beside them as `<file>.replaced-<UTC time>`. The names are those of documents and macros.
///
/// # Errors
/// [`SaveError::Unfinished`] when it is decided and goes on later; anything else when nothing has changed.
pub(crate) fn replace_all(
    locked: &Locked<'_>,
    profile: &str,
    files: &[(PathBuf, Vec<u8>)],
) -> Result<(), SaveError> {
    let root = locked.folder().root();
    let place = Path::new("profiles").join(profile);
    files.iter().try_for_each(|(file, _)| check(locked, &place.join(file)))?;
    discard(root, Path::new(STAGED));
    let decided = stage(locked, profile, files)
        .and_then(|()| decide(root).map_err(|error| SaveError::io(DECIDED, error)));
    if decided.is_err() {
        discard(root, Path::new(STAGED));
    }
    decided.and_then(|()| finish(locked))
}

/// Whether a file can be put there: what is in the way is better known before it is decided.
fn check(locked: &Locked<'_>, target: &Path) -> Result<(), SaveError> {
    let damage = match locked.folder().read_text(target) {
        Ok(_) | Err(Damage::TooLarge) => return Ok(()),
        Err(damage) => damage,
    };
    Err(SaveError::InTheWay { file: target.display().to_string(), damage })
}

fn stage(locked: &Locked<'_>, profile: &str, files: &[(PathBuf, Vec<u8>)]) -> Result<(), SaveError> {
    let staged = Path::new(STAGED);
    locked.make_folder(&staged.join("macros"))?;
    locked.write_bytes(&staged.join(PROFILE), profile.as_bytes())?;
    files.iter().try_for_each(|(file, bytes)| locked.write_bytes(&staged.join(file), bytes))
}

/// The instant before which nothing has happened, and after which everything will.
fn decide(root: &Path) -> io::Result<()> {
    rustix::fs::rename(root.join(STAGED), root.join(DECIDED))?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    sync_folder(rustix::fs::open(root, flags, Mode::empty())?)
}

/// Finishes what was decided, if anything was.
///
/// # Errors
/// [`SaveError::Unfinished`]; the next call tries again.
pub(crate) fn finish(locked: &Locked<'_>) -> Result<(), SaveError> {
    let root = locked.folder().root();
    if std::fs::symlink_metadata(root.join(DECIDED)).is_err() {
        return Ok(());
    }
    carry_out(locked).map_err(|error| SaveError::Unfinished(Box::new(error)))?;
    discard(root, Path::new(DECIDED));
    Ok(())
}

/// Macros first: a task never names one that is not there yet.
fn carry_out(locked: &Locked<'_>) -> Result<(), SaveError> {
    let root = locked.folder().root();
    let id = bytes(&root.join(DECIDED).join(PROFILE)).map(String::from_utf8);
    let id = match id {
        Ok(Ok(id)) if registry::is_id(&id) => id,
        _ => return Err(SaveError::InTheWay { file: DECIDED.to_owned(), damage: Damage::Shape }),
    };
    let place = Path::new("profiles").join(id);
    let macros = names(&root.join(DECIDED).join("macros"));
    if !macros.is_empty() {
        // The process before us may have died while it wrote there.
        clean(&root.join(&place).join("macros"));
    }
    for name in macros.iter().filter(|name| is_macro_name(name)) {
        put_macro(locked, &place, &Path::new("macros").join(name))?;
    }
    DOCUMENTS.iter().try_for_each(|name| put_document(locked, &place, Path::new(name)))
}

fn put_macro(locked: &Locked<'_>, place: &Path, file: &Path) -> Result<(), SaveError> {
    let target = place.join(file);
    let root = locked.folder().root();
    let new = bytes(&root.join(DECIDED).join(file)).map_err(|error| SaveError::io(&target, error))?;
    let there = bytes(&root.join(&target)).ok();
    if there.as_ref() == Some(&new) {
        return Ok(());
    }
    if there.is_some() {
        locked.keep_replaced(&target)?;
    }
    locked.write_bytes(&target, &new)
}

fn put_document(locked: &Locked<'_>, place: &Path, file: &Path) -> Result<(), SaveError> {
    let target = place.join(file);
    // One that is not there is none that is replaced.
    let Loaded::Good(new) = locked.read(&Path::new(DECIDED).join(file)) else { return Ok(()) };
    match locked.read(&target) {
        Loaded::Good(there) if there == new => return Ok(()),
        Loaded::Good(_) => locked.keep_replaced(&target)?,
        // What is damaged is kept by the save itself.
        Loaded::Missing | Loaded::Damaged(_) => {}
    }
    locked.write(&target, &new)
}

/// The content of a file, within the limit of a macro.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file: File = rustix::fs::open(path, flags, Mode::empty())?.into();
    let mut bytes = Vec::new();
    file.take(limits::ARCHIVE_MACRO.value + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Says that the registry is about to list a profile's folder, or to list it no longer.
pub(crate) fn mark(locked: &Locked<'_>, profile: &Path) -> Result<(), SaveError> {
    locked.write_bytes(&profile.join(UNLISTED), b"")
}

/// Says that what the registry has is right.
pub(crate) fn unmark(locked: &Locked<'_>, profile: &Path) {
    // A mark that stays is taken for what it is: the registry lists the profile.
    let _gone = rustix::fs::unlink(locked.folder().root().join(profile).join(UNLISTED));
}

/// Removes a folder; whether it is gone. Never goes through a symbolic link: such a link alone is removed.
pub(crate) fn discard(root: &Path, folder: &Path) -> bool {
    let path = root.join(folder);
    let Ok(found) = std::fs::symlink_metadata(&path) else { return true };
    let is_link = |path: &Path| std::fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    let within = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    if within.is_some_and(|parent| is_link(&root.join(parent))) {
        return false;
    }
    if !found.is_dir() {
        return rustix::fs::unlink(&path).is_ok();
    }
    let aside = path.with_file_name(temporary_name(DISCARDED));
    match rustix::fs::rename(&path, &aside) {
        // What stays of it has no name that anybody uses; the next start tries again.
        Ok(()) => std::fs::remove_dir_all(&aside).is_ok() || !path.exists(),
        Err(_) => std::fs::remove_dir_all(&path).is_ok(),
    }
}

/// Finishes or undoes whatever dead processes have left.
pub(crate) fn sweep(locked: &Locked<'_>) {
    let root = locked.folder().root();
    // What can't be finished is said to whoever wants to save.
    let _unfinished = finish(locked);
    discard(root, Path::new(STAGED));
    clean(root);
    let profiles = root.join("profiles");
    let is_folder = |path: &Path| std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    if !is_folder(&profiles) {
        return;
    }
    for name in clean(&profiles).into_iter().filter(|name| is_folder(&profiles.join(name))) {
        let inside = clean(&profiles.join(&name));
        // Empty: its maker died before the mark was there.
        if inside.is_empty() || inside.iter().any(|inside| inside == UNLISTED) {
            settle(locked, &name);
        }
    }
}

/// Removes or lists nothing by itself: the registry says whether a marked folder is a profile.
fn settle(locked: &Locked<'_>, id: &str) {
    let Loaded::Good(registry) = locked.read(Path::new(registry::FILE)) else { return };
    if !registry::is_id(id) || !registry::is_registry(&registry) {
        return;
    }
    let profile = Path::new("profiles").join(id);
    let listed = registry["profiles"].as_array().into_iter().flatten().any(|entry| entry["id"] == id);
    if listed {
        unmark(locked, &profile);
    } else {
        discard(locked.folder().root(), &profile);
    }
}

/// Removes temporary files and discarded folders; the names of all else.
fn clean(folder: &Path) -> Vec<String> {
    let mut names = names(folder);
    names.retain(|name| {
        let path = folder.join(name);
        // What stays is looked at again at the next start.
        if is_temporary(name.as_ref(), TEMPORARY) {
            let _gone = rustix::fs::unlink(&path);
        } else if is_temporary(name.as_ref(), DISCARDED) {
            let _gone = std::fs::remove_dir_all(&path);
        } else {
            return true;
        }
        false
    });
    names
}

/// The names in a folder, in order; none in what is no folder or a link to one.
fn names(folder: &Path) -> Vec<String> {
    if !std::fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir() || found.is_symlink()) {
        return Vec::new();
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;
    use crate::folder::Folder;
    use serde_json::{Value, json};

    #[test]
    fn the_search_for_litter_takes_only_what_is_ours_and_nobody_writes() {
        let home = tempfile::tempdir().unwrap();
        let profile = home.path().join("profiles/default");
        std::fs::create_dir_all(profile.join("macros")).unwrap();
        let litter = format!("{TEMPORARY}{}.tmp", "0".repeat(32));
        for folder in [home.path(), &profile, &profile.join("macros")] {
            for name in [litter.as_str(), "settings.json.tmp", "settings.json.0123.tmp", ".lock"] {
                std::fs::write(folder.join(name), "").unwrap();
            }
        }
        let count = || {
            let folders = [home.path(), &profile, &profile.join("macros")];
            folders.map(|folder| {
                std::fs::read_dir(folder).unwrap().filter(|e| e.as_ref().unwrap().path().is_file()).count()
            })
        };
        let folder = Folder::new(home.path());
        let locked = folder.lock().unwrap();
        folder.sweep();
        assert_eq!(count(), [4, 4, 4], "someone saves");
        drop(locked);
        folder.sweep();
        assert_eq!(count(), [3, 3, 4], "macros are not ours to judge");
        assert!(!home.path().join(&litter).exists());
    }

    /// A folder with two profiles and a file each.
    fn furnished(home: &Path) -> Folder {
        let registry = json!({"profiles": [{"id": "default"}, {"id": "work", "name": "W"}]});
        std::fs::create_dir_all(home.join("profiles/work/macros")).unwrap();
        std::fs::write(home.join("profile-registry.json"), registry.to_string()).unwrap();
        std::fs::write(home.join("profiles/work/shortcuts.json"), "[1]").unwrap();
        std::fs::write(home.join("profiles/work/macros/a.macro"), "old").unwrap();
        Folder::new(home)
    }

    fn files() -> Vec<(PathBuf, Vec<u8>)> {
        let file = |name: &str, text: &str| (PathBuf::from(name), text.as_bytes().to_vec());
        vec![
            file("macros/a.macro", "new"),
            file("macros/b.macro", "b"),
            file("shortcuts.json", "[2]"),
            file("settings.json", "{}"),
        ]
    }

    fn state(home: &Path) -> (String, Option<String>, Value, bool) {
        let read = |file: &str| std::fs::read_to_string(home.join("profiles/work").join(file)).ok();
        let shortcuts = serde_json::from_str(&read("shortcuts.json").unwrap()).unwrap();
        (read("macros/a.macro").unwrap(), read("macros/b.macro"), shortcuts, read("settings.json").is_some())
    }

    #[test]
    fn an_import_that_is_staged_only_is_undone_and_a_decided_one_is_finished() {
        let old = ("old".to_owned(), None, json!([1]), false);
        let new = ("new".to_owned(), Some("b".to_owned()), json!([2]), true);
        let home = tempfile::tempdir().unwrap();
        let folder = furnished(home.path());
        let locked = folder.lock().unwrap();
        stage(&locked, "work", &files()).unwrap();
        drop(locked);
        folder.sweep();
        assert_eq!(state(home.path()), old);
        assert!(!home.path().join(STAGED).exists());
        // Decided, and some of it done.
        let locked = folder.lock().unwrap();
        stage(&locked, "work", &files()).unwrap();
        decide(home.path()).unwrap();
        put_macro(&locked, Path::new("profiles/work"), Path::new("macros/a.macro")).unwrap();
        drop(locked);
        // Whoever saves next finishes it first.
        drop(folder.lock().unwrap());
        assert_eq!(state(home.path()), new);
        assert!(!home.path().join(DECIDED).exists());
        let kept = names(&home.path().join("profiles/work/macros"));
        assert_eq!(kept.iter().filter(|name| name.starts_with("a.macro.replaced-")).count(), 1, "{kept:?}");
    }

    #[test]
    fn what_can_not_be_finished_is_said_and_stays() {
        let home = tempfile::tempdir().unwrap();
        let folder = furnished(home.path());
        let locked = folder.lock().unwrap();
        std::fs::create_dir(home.path().join("profiles/work/settings.json")).unwrap();
        let fault = replace_all(&locked, "work", &files()).unwrap_err();
        assert!(matches!(fault, SaveError::InTheWay { .. }), "{fault}");
        assert!(!home.path().join(DECIDED).exists() && !home.path().join(STAGED).exists());
        // It may come later all the same.
        stage(&locked, "work", &files()).unwrap();
        decide(home.path()).unwrap();
        let fault = finish(&locked).unwrap_err();
        assert!(
            matches!(fault, SaveError::Unfinished(_)) && fault.to_string().contains("settings.json"),
            "{fault}"
        );
        drop(locked);
        assert!(matches!(folder.lock(), Err(SaveError::Unfinished(_))));
        std::fs::remove_dir(home.path().join("profiles/work/settings.json")).unwrap();
        drop(folder.lock().unwrap());
        assert!(state(home.path()).3);
        // A forged one leads nowhere.
        std::fs::create_dir(home.path().join(DECIDED)).unwrap();
        std::fs::write(home.path().join(DECIDED).join(PROFILE), "../../x").unwrap();
        assert!(matches!(folder.lock(), Err(SaveError::Unfinished(_))));
    }

    #[test]
    fn a_marked_folder_is_a_profile_only_if_the_registry_says_so() {
        let home = tempfile::tempdir().unwrap();
        let folder = furnished(home.path());
        let profiles = home.path().join("profiles");
        let make = |id: &str, is_marked: bool| {
            std::fs::create_dir_all(profiles.join(id)).unwrap();
            std::fs::write(profiles.join(id).join("schedules.json"), "[]").unwrap();
            if is_marked {
                std::fs::write(profiles.join(id).join(UNLISTED), "").unwrap();
            }
        };
        make("work", true);
        make("torn", true);
        std::fs::create_dir(profiles.join("empty")).unwrap();
        std::fs::write(profiles.join("a-file"), "").unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), profiles.join("a-link")).unwrap();
        make("foreign", false);
        std::fs::create_dir_all(profiles.join(temporary_name(DISCARDED)).join("x")).unwrap();
        drop(folder.lock().unwrap());
        std::fs::rename(home.path().join("profile-registry.json"), home.path().join("away")).unwrap();
        folder.sweep();
        assert_eq!(
            names(&profiles),
            ["a-file", "a-link", "empty", "foreign", "torn", "work"],
            "without a registry nobody knows"
        );
        std::fs::rename(home.path().join("away"), home.path().join("profile-registry.json")).unwrap();
        folder.sweep();
        assert_eq!(names(&profiles), ["a-file", "a-link", "foreign", "work"]);
        assert!(!profiles.join("work").join(UNLISTED).exists());
        assert!(profiles.join("work/shortcuts.json").exists());
    }
}
