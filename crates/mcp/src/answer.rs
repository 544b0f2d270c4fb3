//! Responses as tool results, and progress as notifications.

use crate::outbox::Outbox;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crossmacro_model::{Code, Fault};
use crossmacro_ops::Response;
use crossmacro_platform::Cancel;
use rmcp::model::{
    CallToolResult, ContentBlock, ProgressNotification, ProgressNotificationParam, ProgressToken,
    ServerJsonRpcMessage, ServerNotification,
};
use serde_json::Map;
use std::sync::{Mutex, PoisonError};

/// The answer to a call: a short text, the picture where one was asked for, and the structured facts. The same
/// envelope for success and failure, and nothing essential in only one of text and structure.
pub(crate) fn result(response: &Response) -> CallToolResult {
    let mut content = vec![ContentBlock::text(response.text())];
    if let Some(picture) = &response.picture {
        content.push(ContentBlock::image(STANDARD.encode(&picture.bytes), picture.mime));
    }
    let mut result = match response.outcome.success {
        true => CallToolResult::success(content),
        false => CallToolResult::error(content),
    };
    result.structured_content = Some(response.structured());
    result
}

/// The answer to a call that was not carried out.
pub(crate) fn refusal(fault: Fault) -> CallToolResult {
    result(&Response::failed(fault, Map::new()))
}

/// A call that was cancelled before it began.
pub(crate) fn cancelled() -> Fault {
    Fault::new(Code::Cancelled, "the call was cancelled before it began")
}

/// One call too many.
pub(crate) fn too_many() -> Fault {
    let most = crate::calls::MOST_CALLS;
    Fault::new(Code::RateLimited, format!("{most} calls run already, which is the limit"))
        .detail("limit", most)
        .detail("retryAfterMs", 100)
        .remedy("wait for one of them to be answered, or cancel one")
}

/// Sends the progress of one call, in the order in which it is reported and before the call's answer.
pub(crate) struct Progress {
    outbox: Outbox,
    token: ProgressToken,
    cancel: Cancel,
    last: Mutex<Option<f64>>,
}

impl Progress {
    pub(crate) fn new(outbox: Outbox, token: ProgressToken, cancel: Cancel) -> Self {
        Self { outbox, token, cancel, last: Mutex::new(None) }
    }

    /// Sends one report. Left out: what is no advance (the protocol wants increasing numbers), what comes
    /// after a cancellation, and what a host that is behind with reading would only get later.
    pub(crate) fn report(&self, done: f64, total: Option<f64>, message: &str) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_advance = done.is_finite() && last.is_none_or(|last| done > last);
        if !is_advance || self.cancel.is_cancelled() || self.outbox.is_full() {
            return;
        }
        *last = Some(done);
        let mut params = ProgressNotificationParam::new(self.token.clone(), done);
        params.total = total.filter(|total| total.is_finite());
        params.message = (!message.is_empty()).then(|| message.to_owned());
        let notification = ProgressNotification::new(params);
        self.outbox
            .put(ServerJsonRpcMessage::notification(ServerNotification::ProgressNotification(notification)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::NumberOrString;
    use serde_json::{Value, json};

    #[test]
    fn progress_increases_and_stops_with_the_call() {
        let (outbox, cancel) = (Outbox::default(), Cancel::new());
        let progress =
            Progress::new(outbox.clone(), ProgressToken(NumberOrString::Number(7)), cancel.clone());
        progress.report(1.0, Some(4.0), "first");
        progress.report(1.0, Some(4.0), "again");
        progress.report(f64::NAN, None, "nothing");
        progress.report(2.0, Some(f64::INFINITY), "");
        cancel.cancel();
        progress.report(3.0, None, "late");
        outbox.close();
        let mut bytes = Vec::new();
        outbox.drain(&mut bytes, || {});
        let lines: Vec<Value> =
            bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        let params =
            |params: Value| json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params });
        assert_eq!(
            lines,
            [
                params(json!({ "progressToken": 7, "progress": 1.0, "total": 4.0, "message": "first" })),
                params(json!({ "progressToken": 7, "progress": 2.0 })),
            ]
        );
    }
}
