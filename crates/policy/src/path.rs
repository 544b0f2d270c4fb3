//! The form of a path, before anything on disk is touched.

use crossmacro_model::{Capability, limits};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// What a path is used for; each class has its own roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathClass {
    /// A macro is read.
    MacroRead,
    /// A macro is written.
    MacroWrite,
    /// A picture is read.
    ImageRead,
    /// A picture is written.
    ImageWrite,
    /// Any other file is read.
    FileRead,
    /// Any other file is written.
    FileWrite,
}

impl PathClass {
    /// All classes, in the order of their settings.
    pub const ALL: [Self; 6] = [
        Self::MacroRead,
        Self::MacroWrite,
        Self::ImageRead,
        Self::ImageWrite,
        Self::FileRead,
        Self::FileWrite,
    ];

    /// The class of a file that is read, by its extension.
    pub fn reading(path: &Path) -> Self {
        [Self::MacroRead, Self::ImageRead]
            .into_iter()
            .find(|class| class.takes_extension(path.extension()))
            .unwrap_or(Self::FileRead)
    }

    /// The setting that holds its roots.
    pub const fn settings_key(self) -> &'static str {
        match self {
            Self::MacroRead => "mcp.paths.macroRead",
            Self::MacroWrite => "mcp.paths.macroWrite",
            Self::ImageRead => "mcp.paths.imageRead",
            Self::ImageWrite => "mcp.paths.imageWrite",
            Self::FileRead => "mcp.paths.fileRead",
            Self::FileWrite => "mcp.paths.fileWrite",
        }
    }

    /// The capability that a client needs for it.
    pub const fn capability(self) -> Capability {
        match self {
            Self::MacroRead => Capability::MacroRead,
            Self::ImageRead | Self::FileRead => Capability::FileRead,
            Self::MacroWrite | Self::ImageWrite | Self::FileWrite => Capability::FileWrite,
        }
    }

    /// The extensions it takes, in lower case; none for any.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::MacroRead | Self::MacroWrite => &["macro"],
            Self::ImageRead => &["png"],
            Self::ImageWrite => &["png", "jpg", "jpeg", "webp"],
            Self::FileRead | Self::FileWrite => &[],
        }
    }

    fn takes_extension(self, extension: Option<&OsStr>) -> bool {
        self.extensions().is_empty()
            || extension
                .is_some_and(|given| self.extensions().iter().any(|known| given.eq_ignore_ascii_case(known)))
    }
}

/// A path of good form: absolute, without `..`, without repeated separators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedPath(PathBuf);

/// What is wrong with the form of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    /// Nothing in it.
    #[error("the path is blank")]
    Blank,
    /// Longer than a path, or one of its names longer than a name, can be.
    #[error("the path or one of its names is too long")]
    TooLong,
    /// A zero byte in it.
    #[error("the path has a zero byte in it")]
    ZeroByte,
    /// Not absolute.
    #[error("the path must be absolute")]
    Relative,
    /// `..` in it.
    #[error("the path must not go up with `..`")]
    GoesUp,
    /// It ends in a separator or `.`, or is the root of the file system: a folder, not a file.
    #[error("the path names a folder")]
    Folder,
    /// The last name ends in a dot or a blank, which some systems drop: two names for one file.
    #[error("the name of the file must not end in a dot or a blank")]
    TrailingDot,
    /// The extension is none of the class.
    #[error("the name of the file must end in {}", extensions(.0))]
    Extension(PathClass),
}

fn extensions(class: &PathClass) -> String {
    class.extensions().iter().map(|known| format!(".{known}")).collect::<Vec<_>>().join(", ")
}

impl CheckedPath {
    /// The path of a file of `class`.
    ///
    /// # Errors
    /// [`PathProblem`] when its form is wrong.
    pub fn file(class: PathClass, path: &Path) -> Result<Self, PathProblem> {
        let checked = Self::any(path)?;
        if path.as_os_str().as_encoded_bytes().rsplit(|&byte| separator(byte)).next().is_none_or(dots_only) {
            return Err(PathProblem::Folder);
        }
        let name = checked.0.file_name().ok_or(PathProblem::Folder)?;
        if matches!(name.as_encoded_bytes().last(), Some(b'.' | b' ')) {
            return Err(PathProblem::TrailingDot);
        }
        if !class.takes_extension(Path::new(name).extension()) {
            return Err(PathProblem::Extension(class));
        }
        Ok(checked)
    }

    /// The path of a folder.
    ///
    /// # Errors
    /// [`PathProblem`] when its form is wrong.
    pub fn folder(path: &Path) -> Result<Self, PathProblem> {
        Self::any(path)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    fn any(path: &Path) -> Result<Self, PathProblem> {
        let bytes = path.as_os_str().as_encoded_bytes();
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(PathProblem::Blank);
        }
        if longer(bytes, limits::PATH) {
            return Err(PathProblem::TooLong);
        }
        if bytes.contains(&0) {
            return Err(PathProblem::ZeroByte);
        }
        if !path.is_absolute() {
            return Err(PathProblem::Relative);
        }
        for component in path.components() {
            match component {
                Component::ParentDir => return Err(PathProblem::GoesUp),
                Component::Normal(name) if longer(name.as_encoded_bytes(), limits::PATH_COMPONENT) => {
                    return Err(PathProblem::TooLong);
                }
                Component::Normal(_) | Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        // Collecting the components drops `//`, `/./` and a separator at the end.
        Ok(Self(path.components().collect()))
    }
}

fn separator(byte: u8) -> bool {
    std::path::is_separator(char::from(byte))
}

fn dots_only(name: &[u8]) -> bool {
    name.is_empty() || name == b"."
}

fn longer(bytes: &[u8], limit: limits::Limit) -> bool {
    u64::try_from(bytes.len()).map_or(true, |length| length > limit.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use PathClass::{FileRead, FileWrite, ImageRead, ImageWrite, MacroRead, MacroWrite};

    fn file(class: PathClass, path: &str) -> Result<String, PathProblem> {
        CheckedPath::file(class, Path::new(path)).map(|path| path.path().to_str().unwrap().to_owned())
    }

    #[test]
    fn forms_that_are_refused() {
        let long_name = format!("/{}", "x".repeat(256));
        let long_path = "/x".repeat(2_049);
        let table: &[(&str, PathProblem)] = &[
            ("", PathProblem::Blank),
            (" \t\n", PathProblem::Blank),
            ("a.macro", PathProblem::Relative),
            ("./a", PathProblem::Relative),
            ("~/a", PathProblem::Relative),
            (" /a", PathProblem::Relative),
            ("file:///a", PathProblem::Relative),
            ("C:\\a", PathProblem::Relative),
            ("..", PathProblem::Relative),
            ("/..", PathProblem::GoesUp),
            ("/a/../b", PathProblem::GoesUp),
            ("/a/..", PathProblem::GoesUp),
            ("//..//b", PathProblem::GoesUp),
            ("/a\0", PathProblem::ZeroByte),
            ("/a\0/../b", PathProblem::ZeroByte),
            ("/", PathProblem::Folder),
            ("//", PathProblem::Folder),
            ("/a/", PathProblem::Folder),
            ("/a//", PathProblem::Folder),
            ("/a/.", PathProblem::Folder),
            ("/a/b/./", PathProblem::Folder),
            ("/a/b.", PathProblem::TrailingDot),
            ("/a/b ", PathProblem::TrailingDot),
            ("/a/...", PathProblem::TrailingDot),
            (&long_name, PathProblem::TooLong),
            (&long_path, PathProblem::TooLong),
        ];
        for class in [FileRead, FileWrite] {
            for (path, problem) in table {
                assert_eq!(file(class, path), Err(*problem), "{path:?}");
            }
        }
    }

    #[test]
    fn forms_that_are_accepted_and_what_becomes_of_them() {
        let longest_name = format!("/{}", "x".repeat(255));
        let table = [
            ("/a", "/a"),
            ("//a///b", "/a/b"),
            ("/a/./b", "/a/b"),
            ("/a/..b", "/a/..b"),
            ("/a./b", "/a./b"),
            ("/ a/b c", "/ a/b c"),
            ("/a/.hidden", "/a/.hidden"),
            ("/a\\b", "/a\\b"),
            (&longest_name, &longest_name),
        ];
        for (path, expected) in table {
            assert_eq!(file(FileRead, path).as_deref(), Ok(expected), "{path:?}");
        }
    }

    #[test]
    fn extensions_are_those_of_the_class_in_any_case() {
        let table = [
            (MacroRead, "/a/b.MACRO", true),
            (MacroWrite, "/a/b.macro", true),
            (MacroRead, "/a/b.png", false),
            (MacroRead, "/a/.macro", false),
            (MacroRead, "/a/macro", false),
            (MacroRead, "/a/b.macro.txt", false),
            (MacroRead, "/a/b.macro/c", false),
            (ImageRead, "/a/b.PnG", true),
            (ImageRead, "/a/b.jpg", false),
            (ImageWrite, "/a/b.JPEG", true),
            (ImageWrite, "/a/b.webp", true),
            (ImageWrite, "/a/b.svg", false),
            (FileWrite, "/a/b", true),
        ];
        for (class, path, good) in table {
            let expected = if good { Ok(path.to_owned()) } else { Err(PathProblem::Extension(class)) };
            assert_eq!(file(class, path), expected, "{path}");
        }
        assert_eq!(file(MacroRead, "/a/b.macro."), Err(PathProblem::TrailingDot));
        assert_eq!(file(MacroRead, "/a/b.macro/"), Err(PathProblem::Folder));
        let message = PathProblem::Extension(ImageWrite).to_string();
        assert_eq!(message, "the name of the file must end in .png, .jpg, .jpeg, .webp");
    }

    #[test]
    fn assets_are_classed_by_extension() {
        let class = |path| PathClass::reading(Path::new(path));
        assert_eq!((class("/a.Macro"), class("/a.PNG"), class("/a.jpg")), (MacroRead, ImageRead, FileRead));
    }
}
