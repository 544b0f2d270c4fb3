//! The list of windows, and workspaces.

use crate::cancel::Cancel;
use crate::desktop::Desktop;
use crate::error::Error;
use crate::facets::windows::Change;
use crate::kit::Witness;
use crate::kit::check::{Check, ensure, equal, eventually, id_of, listed, stands, window};
use crossmacro_model::{Point, Size};

pub(super) fn listed_properties(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let spec = window("properties of a window");
    let mut shown = witness.show(&spec)?;
    let window = listed(desktop, &spec.title)?;
    equal("the class", window.class.as_str(), spec.class.as_str())?;
    equal("the process", window.pid, Some(shown.pid()))?;
    ensure(window.process_name.as_ref().is_some_and(|name| !name.is_empty()), || {
        format!("the name of the process is {:?}", window.process_name)
    })?;
    equal("the client area", window.client, shown.content()?)?;
    let within = window.frame.intersection(window.client) == Some(window.client);
    ensure(within, || format!("the frame {:?} does not hold {:?}", window.frame, window.client))?;
    ensure(!window.is_hidden && !window.is_fullscreen && !window.is_maximized, || format!("{window:?}"))?;
    // The manager may be giving it the focus just now, so the two entries are compared until they agree.
    let windows = desktop.windows.clone()?;
    eventually("its own entry is the listed one", true, || {
        Ok(Some(windows.get(window.id)?) == windows.list()?.into_iter().find(|it| it.id == window.id))
    })
}

pub(super) fn title(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut shown = witness.show(&window("first title"))?;
    let id = id_of(desktop, "first title")?;
    shown.set_title("second title")?;
    let windows = desktop.windows.clone()?;
    eventually("the title", "second title".to_owned(), || Ok(windows.get(id)?.title))?;
    shown.set_title("")?;
    eventually("no title", String::new(), || Ok(windows.get(id)?.title))
}

pub(super) fn unicode_title(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let title = "Übersicht – 日本 🙂 \u{202e}x";
    let _shown = witness.show(&window(title))?;
    listed(desktop, title).map(|_| ())
}

pub(super) fn order(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let (_one, _two) = (witness.show(&window("order one"))?, witness.show(&window("order two"))?);
    let (one, two) = (id_of(desktop, "order one")?, id_of(desktop, "order two")?);
    let windows = desktop.windows.clone()?;
    for (below, above) in [(one, two), (two, one)] {
        windows.change(above, Change::Focus, &Cancel::new())?;
        eventually("the order", vec![below, above], || {
            let ids = windows.list()?.into_iter().map(|window| window.id);
            Ok(ids.filter(|id| [one, two].contains(id)).collect())
        })?;
    }
    Ok(())
}

pub(super) fn gone(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let shown = witness.show(&window("soon gone"))?;
    let id = id_of(desktop, "soon gone")?;
    drop(shown);
    let windows = desktop.windows.clone()?;
    eventually("it is listed", false, || Ok(windows.list()?.iter().any(|window| window.id == id)))?;
    let answer = windows.get(id);
    ensure(matches!(answer, Err(Error::NotFound { .. })), || format!("get gave {answer:?}"))?;
    for change in [
        Change::Focus,
        Change::Close,
        Change::Move(Point::new(10, 10)),
        Change::Resize(Size::new(100, 100)),
        Change::Maximize(true),
        Change::Minimize,
        Change::Fullscreen(true),
    ] {
        let answer = windows.change(id, change, &Cancel::new());
        ensure(matches!(answer, Err(Error::NotFound { .. })), || format!("{change:?} gave {answer:?}"))?;
    }
    Ok(())
}

pub(super) fn workspaces(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let windows = desktop.windows.clone()?;
    let cancel = Cancel::new();
    let (names, present) = windows.workspaces()?;
    ensure(names.len() >= 2, || format!("there are only {names:?}"))?;
    let other = usize::from(present == 0);
    let mut shown = witness.show(&window("sent away"))?;
    let id = id_of(desktop, "sent away")?;
    windows.to_workspace(Some(id), other, &cancel)?;
    stands(&mut *shown, "it is away", |state, _| !state.is_visible)?;
    equal("its workspace", windows.get(id)?.workspace, Some(names[other].clone()))?;
    windows.to_workspace(None, other, &cancel)?;
    stands(&mut *shown, "its workspace is shown", |state, _| state.is_visible)?;
    equal("the present workspace", windows.workspaces()?.1, other)?;
    windows.to_workspace(None, present, &cancel)?;
    equal("the workspace before", windows.workspaces()?.1, present)?;
    let answer = windows.to_workspace(None, names.len(), &cancel);
    let is_right = matches!(answer, Err(Error::NotFound { .. }));
    ensure(is_right, || format!("a workspace that does not exist gave {answer:?}"))
}
