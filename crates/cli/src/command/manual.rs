//! `completions ...` and `man ...`: what is made of the tree of commands that also parses.

use super::absolute;
use crate::arguments::Arguments;
use crate::render::Answer;
use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Generator;
use clap_complete::aot::{Bash, Fish, Zsh};
use crossmacro_policy::{PathClass, Roots};
use crossmacro_store::paths::create_replace;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  crossmacro completions bash > ~/.local/share/bash-completion/completions/crossmacro\n  crossmacro completions zsh > ~/.zfunc/_crossmacro\n  crossmacro completions fish > ~/.config/fish/completions/crossmacro.fish"
)]
pub(crate) struct Completions {
    /// For which shell
    #[arg(value_enum, ignore_case = true)]
    shell: Kind,
}

#[derive(ValueEnum, Clone, Copy)]
enum Kind {
    Bash,
    Zsh,
    Fish,
}

#[derive(Args)]
pub(crate) struct Manual {
    /// Write the pages of all commands into this folder instead of printing the first
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(super) fn completions(command: &Completions) -> Answer {
    let script = match command.shell {
        Kind::Bash => script(&Bash),
        Kind::Zsh => script(&Zsh),
        Kind::Fish => script(&Fish),
    };
    printed(&script)
}

pub(super) fn manual(command: &Manual) -> Answer {
    match &command.output {
        None => match page(&tree()) {
            Ok((_, page)) => printed(&page),
            Err(error) => failed(&error),
        },
        Some(folder) => pages(&absolute(folder)),
    }
}

/// The tree without what people don't call. The generators for some shells list hidden commands too.
fn tree() -> clap::Command {
    let root = Arguments::command();
    let shown = root.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let mut tree = clap::Command::new("crossmacro")
        .bin_name("crossmacro")
        .version(env!("CARGO_PKG_VERSION"))
        .about(root.get_about().cloned().unwrap_or_default())
        .after_help(root.get_after_help().cloned().unwrap_or_default())
        .disable_help_subcommand(true)
        .args(root.get_arguments().cloned())
        .subcommands(shown);
    tree.build();
    tree
}

fn script(shell: &impl Generator) -> Vec<u8> {
    let mut script = Vec::new();
    shell.generate(&tree(), &mut script);
    script
}

fn page(command: &clap::Command) -> std::io::Result<(String, Vec<u8>)> {
    let manual = clap_mangen::Man::new(command.clone());
    let mut page = Vec::new();
    manual.render(&mut page)?;
    Ok((manual.get_filename(), page))
}

fn pages(folder: &Path) -> Answer {
    let mut written = Vec::new();
    match write_all(&tree(), folder, &mut written) {
        Ok(()) => Answer::ok(
            format!("{} pages were written.", written.len()),
            json!({"outputPath": folder, "files": written}),
        ),
        Err(error) => failed(&error),
    }
}

/// The page of a command, and those of the commands below it: `crossmacro-profile-list.1`.
fn write_all(command: &clap::Command, folder: &Path, written: &mut Vec<String>) -> std::io::Result<()> {
    let (file, page) = page(command)?;
    let mut new = create_replace(PathClass::FileWrite, &folder.join(&file), &Roots::UNLIMITED)
        .map_err(std::io::Error::other)?;
    new.write_all(&page)?;
    new.commit().map_err(std::io::Error::other)?;
    written.push(file);
    let mut below =
        command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help");
    below.try_for_each(|below| write_all(below, folder, written))
}

fn printed(bytes: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut answer = Answer::ok("The text was made.", json!({"text": text}));
    answer.raw = Some(text);
    answer
}

fn failed(error: &std::io::Error) -> Answer {
    Answer::failed(3, format!("the page can't be written: {error}"), Vec::new())
}
