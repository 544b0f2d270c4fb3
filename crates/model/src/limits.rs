//! Every limit in one table: name, value, unit, and the sentence that a message or a schema uses.

/// One limit.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Name in error details.
    pub name: &'static str,
    /// Largest value that is still accepted.
    pub value: u64,
    /// Unit of the value.
    pub unit: &'static str,
    /// What is limited, as a sentence.
    pub sentence: &'static str,
}

macro_rules! limits {
    ($($name:ident = $value:expr, $unit:literal, $sentence:literal;)*) => {
        $(
            #[doc = $sentence]
            pub const $name: Limit =
                Limit { name: stringify!($name), value: $value, unit: $unit, sentence: $sentence };
        )*
        /// All limits.
        pub const ALL: &[Limit] = &[$($name,)*];
    };
}

limits! {
    CLIPBOARD_TEXT = 65_536, "UTF-16 code units", "Clipboard text that is read or written.";
    PNG_BYTES = 48 << 20, "bytes", "An encoded PNG, on disk or on the clipboard.";
    PNG_WIDTH = 7_680, "pixels", "The width of a PNG that is read.";
    PNG_HEIGHT = 4_320, "pixels", "The height of a PNG that is read.";
    PNG_PIXELS = 33_177_600, "pixels", "The area of a PNG that is read.";
    PNG_INFLATED = 160 << 20, "bytes", "The decoded data of a PNG that is read.";
    INLINE_IMAGE = 8 << 20, "bytes", "An encoded picture that is returned inline.";
    REGION = 16_777_216, "pixels", "A screen region that is read or searched.";
    WINDOWS = 100, "entries", "Windows in one reply.";
    SELECTOR = 1_024, "UTF-16 code units", "A window selector or workspace name.";
    WAIT = 30_000, "milliseconds", "The time a wait may be given.";
    OPERATION_SECONDS = 3_600, "seconds", "The time limit of an operation.";
    RUN_STEPS = 100, "steps", "Steps given inline to a run.";
    RUN_STEP = 16_384, "UTF-16 code units", "One inline step of a run.";
    RUN_TEXT = 262_144, "UTF-16 code units", "All inline steps of a run together.";
    STEP_FILE = 16 << 20, "bytes", "A file of run steps.";
    STEP_FILE_LINES = 100_000, "lines", "Lines of a file of run steps.";
    STEP_FILE_LINE = 256 << 10, "characters", "One line of a file of run steps.";
    RETAINED_OPERATIONS = 32, "operations", "Completed operations that are remembered.";
    NESTING = 128, "levels", "Blocks inside blocks in a run script.";
    LOOP_ITERATIONS = 10_000_000, "iterations", "Loop iterations of a script that waits for nothing outside.";
    LOOP_ITERATIONS_WAITING = 100_000, "iterations", "Loop iterations of a script that waits for the outside.";
    RUN_VALUE = 1 << 20, "bytes", "The value of one variable of a run script, and a text with its variables filled in.";
    RUN_VARIABLES = 16 << 20, "bytes", "All variables of a run script together.";
    IMAGE_ASSETS = 100, "pictures", "Pictures that a run may look for.";
    IMAGE_ASSETS_BYTES = 96 << 20, "bytes", "The encoded pictures of a run together.";
    TEMPLATES = 10, "pictures", "Pictures that are looked for at once.";
    TEMPLATE_PIXELS = 33_177_600, "pixels", "All pictures that are looked for together.";
    CANDIDATES = 10, "places", "Places where a picture was found, in one reply.";
    CAPTURES = 64 << 20, "bytes", "Earlier captures that are kept to compare with.";
    SCROLL_COUNT = 100, "notches", "Wheel notches of one step.";
    PATH = 4_096, "bytes", "A path.";
    PATH_COMPONENT = 255, "bytes", "One name in a path.";
    PATH_ROOTS = 64, "paths", "Roots of one path class.";
    SETTING_KEY = 1_024, "characters", "The name of a setting, known or not.";
    SETTING_VALUE = 65_536, "characters", "The value of a setting as it is given: one text, or all roots together.";
    SETTING_TEXT = 4_096, "characters", "The value of a setting that is a text.";
    SETTINGS_FILE = 16 << 20, "bytes", "A file of the configuration folder.";
    EXPANSION_TRIGGER = 50, "UTF-16 code units", "The trigger of a text expansion.";
    EXPANSION_TEXT = 65_536, "UTF-16 code units", "The replacement of a text expansion.";
    PROFILE_NAME = 200, "characters", "The name of a profile.";
    ARCHIVE_ENTRIES = 1_000, "entries", "Files in the archive of a profile.";
    ARCHIVE_MACRO = 16 << 20, "bytes", "One macro in the archive of a profile.";
    ARCHIVE_INFLATED = 64 << 20, "bytes", "All files in the archive of a profile together.";
    MACRO_FILE = 2 << 30, "bytes", "A macro file.";
    MACRO_LINE = 128 << 20, "bytes", "One line of a macro file.";
    MACRO_LINES = 10_000_000, "lines", "Lines of a macro file.";
    MACRO_STEPS = 10_000_000, "steps", "Steps of the script of a macro.";
    MACRO_TEXT_BYTES = 256 << 20, "bytes", "All steps and comments of a macro together.";
    MACRO_EVENTS = 10_000_000, "events", "Events of a macro.";
    MACRO_COMMENTS = 100_000, "lines", "Lines of comment in a macro file.";
    MACRO_ERRORS = 10_000, "errors", "Errors in a macro file.";
    MACRO_IMAGES = 1_000, "pictures", "Pictures in a macro.";
    MACRO_IMAGES_PIXELS = 4 * 33_177_600, "pixels", "The pictures of a macro together.";
    MACRO_IMAGES_BYTES = 96 << 20, "bytes", "The encoded pictures of a macro together.";
    SETTINGS_LOCK = 5_000, "milliseconds", "The time a save waits for another process to finish its own.";
    DISPLAY_ANSWER = 5_000, "milliseconds", "The time a display server may take to answer one request.";
}
