//! The list.

mod capture;
mod clipboard;
mod displays;
mod keyboard;
mod listener;
mod pointer;
mod typing;
mod window_changes;
mod windows;

use super::Behaviour;

macro_rules! behaviours {
    ($($level:ident $name:literal $run:path;)*) => {
        /// Every behaviour. Names begin with the facet.
        pub const BEHAVIOURS: &[Behaviour] =
            &[$(Behaviour { name: $name, is_essential: behaviours!(@ $level), run: $run },)*];
    };
    (@ must) => { true };
    (@ may) => { false };
}

behaviours! {
    must "displays: the layout makes sense and is the desktop that others see" displays::layout;
    must "pointer: it arrives at the exact place" pointer::arrives;
    must "pointer: a place outside every display is refused and nothing moves" pointer::outside;
    may  "pointer: a distance moves it that way" pointer::distance;
    must "pointer: each button reaches the window under it" pointer::buttons;
    must "pointer: the wheel turns each way as often as asked" pointer::wheel;
    must "pointer: a drag holds the button on its way" pointer::drag;
    must "pointer: a click goes to what lies on top" pointer::on_top;
    must "keyboard: keys reach the focused window as they are pressed" keyboard::keys;
    must "keyboard: a held modifier applies" keyboard::modifier;
    must "keyboard: a key that does not exist is refused" keyboard::unknown_key;
    must "keyboard: the key for a character gives that character" keyboard::key_for;
    must "keyboard: every printable ASCII character is typed" typing::ascii;
    must "keyboard: line feed, carriage return and tab are typed" typing::control;
    must "keyboard: backspace deletes" typing::backspace;
    must "keyboard: characters outside the layout are typed" typing::unicode;
    must "keyboard: a long text arrives whole and in order" typing::long;
    must "keyboard: typing ignores a held modifier and leaves it held" typing::held_modifier;
    must "keyboard: typing ignores caps lock and leaves it on" typing::caps_lock;
    must "keyboard: nothing is typed when a character can't be" typing::untypable;
    must "keyboard: a cancelled text stops and releases its keys" typing::cancelled;
    must "listener: what a person does is heard in order, and where the pointer was" listener::order;
    must "listener: every button and every way of the wheel is told apart" listener::buttons;
    must "listener: distances add up to the way of the pointer" listener::distances;
    must "listener: only what is asked for is heard" listener::asked;
    must "listener: what happens between two calls is heard" listener::between;
    must "listener: a wait can be cancelled and ends by itself" listener::ends;
    must "capture: a region has the pixels that are painted there" capture::region;
    must "capture: the whole desktop is captured" capture::whole;
    must "capture: what covers a window is what is seen" capture::covered;
    must "capture: a change is seen by the next capture" capture::change;
    must "capture: a region is clipped to the desktop" capture::clipped;
    must "capture: a region outside is out of bounds" capture::outside;
    may  "capture: the pointer is painted only when asked for" capture::cursor;
    must "windows: a window is listed with its properties" windows::listed_properties;
    must "windows: a change of the title is seen" windows::title;
    must "windows: titles are Unicode" windows::unicode_title;
    may  "windows: the order of the list is the order on the screen" windows::order;
    must "windows: one that is gone is not found" windows::gone;
    may  "windows: workspaces are switched and windows sent there" windows::workspaces;
    must "windows: focus goes to the window asked for" window_changes::focus;
    may  "windows: a move puts the frame's corner there" window_changes::place;
    may  "windows: a resize gives the content that size" window_changes::resize;
    may  "windows: a window with a size grid takes the nearest size" window_changes::increments;
    may  "windows: centring" window_changes::center;
    may  "windows: maximising and undoing it" window_changes::maximize;
    may  "windows: minimising and restoring" window_changes::minimize;
    may  "windows: fullscreen and back" window_changes::fullscreen;
    may  "windows: keeping above and undoing it" window_changes::above;
    must "windows: closing" window_changes::close;
    may  "windows: one that does not obey is no success" window_changes::refuses_close;
    must "clipboard: text reaches other programs" clipboard::text_out;
    must "clipboard: text of other programs is read" clipboard::text_in;
    must "clipboard: a picture reaches other programs" clipboard::png_out;
    must "clipboard: a picture of other programs is read" clipboard::png_in;
    must "clipboard: two megabytes go both ways" clipboard::large;
    must "clipboard: empty is empty" clipboard::empty;
    must "clipboard: the last content counts" clipboard::replaced;
    must "clipboard: the formats on offer are named" clipboard::formats;
    must "clipboard: too much is refused" clipboard::too_large;
    must "clipboard: an owner that never answers can be cancelled" clipboard::silent_owner;
}
