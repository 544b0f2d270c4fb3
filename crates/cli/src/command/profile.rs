//! `profile ...`.

use super::{Shell, absolute, without_nulls};
use crate::render::Answer;
use clap::Subcommand;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Profile {
    /// All profiles
    List,
    /// The active profile
    Current,
    /// Make a profile with default settings; it does not become active
    Create {
        /// Its name
        name: String,
    },
    /// Make a profile the active one
    Switch {
        /// Id or name, in any case
        profile: String,
    },
    /// Give a profile another name; its id stays
    Rename {
        /// Id or name, in any case
        profile: String,
        /// The new name
        new_name: String,
    },
    /// Remove a profile and its files
    Delete {
        /// Id or name, in any case
        profile: String,
        /// Say that you mean it
        #[arg(long)]
        force: bool,
    },
    /// Write a profile into one archive
    #[command(
        after_help = "Examples:\n  crossmacro profile export work.tar.gz --profile Work\n  crossmacro profile export backup.tar.gz --no-macros"
    )]
    Export {
        /// The archive; a file that is there is replaced
        file: PathBuf,
        /// Id or name; without it, the active profile
        #[arg(long)]
        profile: Option<String>,
        /// Leave the macros out
        #[arg(long)]
        no_macros: bool,
    },
    /// Make a profile of an archive; it does not become active
    #[command(
        after_help = "Tasks in the archive arrive switched off unless --trust is given.\n\nExamples:\n  crossmacro profile import work.tar.gz --dry-run\n  crossmacro profile import work.tar.gz --name 'Work again'\n  crossmacro profile import work.tar.gz --macros-folder ~/macros"
    )]
    Import {
        /// The archive
        file: PathBuf,
        /// Name of the profile; without it, the one in the archive
        #[arg(long)]
        name: Option<String>,
        /// Put it in the place of the profile of that name
        #[arg(long)]
        replace: bool,
        /// Keep tasks and text expansion on that were on: only for an archive of your own
        #[arg(long)]
        trust: bool,
        /// Leave the macros out, and use those of the same names in this folder
        #[arg(long, value_name = "FOLDER", conflicts_with = "keep_macro_paths")]
        macros_folder: Option<PathBuf>,
        /// Leave the macros out, and let the tasks name the paths they had
        #[arg(long)]
        keep_macro_paths: bool,
        /// Say what would change, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
}

pub(super) fn run(shell: &Shell, command: Profile) -> Answer {
    let (operation, arguments) = match command {
        Profile::List => {
            return Answer::of(
                &shell.call("profile.list", json!({})),
                |reply| json!({"profiles": reply["profiles"], "activeProfileId": reply["activeProfileId"]}),
            );
        }
        Profile::Current => ("profile.current", json!({})),
        Profile::Create { name } => ("profile.create", json!({"name": name})),
        Profile::Switch { profile } => ("profile.switch", json!({"profile": profile})),
        Profile::Rename { profile, new_name } => {
            ("profile.rename", json!({"profile": profile, "newName": new_name}))
        }
        Profile::Delete { profile, force } => ("profile.delete", json!({"profile": profile, "force": force})),
        Profile::Export { file, profile, no_macros } => {
            let arguments = json!({"outputPath": absolute(&file), "profile": profile, "macros": !no_macros});
            return Answer::of(&shell.call("profile.export", without_nulls(arguments)), Value::clone);
        }
        Profile::Import { file, name, replace, trust, macros_folder, keep_macro_paths, dry_run } => {
            let arguments = json!({
                "inputPath": absolute(&file), "name": name, "replace": replace, "trust": trust,
                "macrosFolder": macros_folder.as_deref().map(absolute), "keepMacroPaths": keep_macro_paths,
                "dryRun": dry_run,
            });
            return Answer::of(&shell.call("profile.import", without_nulls(arguments)), Value::clone);
        }
    };
    Answer::of(&shell.call(operation, arguments), |reply| reply["profiles"][0].clone())
}
