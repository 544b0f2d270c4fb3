//! An MCP server that is measured from outside, over its pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const HELLO: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#,
    "\n",
);

pub(super) struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a server; `display` takes the place of the one in the environment.
    #[expect(clippy::disallowed_methods, reason = "a development tool that starts what it measures")]
    pub(super) fn start(program: &Path, arguments: &[&str], display: Option<&str>) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.envs(display.map(|display| ("DISPLAY", display)));
        let mut child = command.spawn().map_err(|error| format!("{}: {error}\n", program.display()))?;
        let input = child.stdin.take().ok_or("no standard input\n")?;
        let output = BufReader::new(child.stdout.take().ok_or("no standard output\n")?);
        Ok(Self { child, input, output })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Greets it and reads until the list of tools has come.
    pub(super) fn ask_for_tools(&mut self) -> Result<(), String> {
        self.send(HELLO)?;
        while !self.line()?.contains("\"tools\":[") {}
        Ok(())
    }

    /// Calls a tool and gives the line of the answer.
    pub(super) fn call(&mut self, tool: &str, arguments: &str) -> Result<String, String> {
        self.send(&format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{{\"name\":\"{tool}\",\"arguments\":{arguments}}}}}\n"
        ))?;
        self.line()
    }

    /// Ends it and waits until it is gone.
    pub(super) fn end(mut self) -> Result<(), String> {
        drop(self.input);
        self.child.wait().map(drop).map_err(|error| format!("the server: {error}\n"))
    }

    fn send(&mut self, text: &str) -> Result<(), String> {
        self.input.write_all(text.as_bytes()).map_err(|error| format!("the server went away: {error}\n"))
    }

    fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(0) => Err("the server ended without an answer\n".into()),
            Ok(_) => Ok(line),
            Err(error) => Err(format!("the server went away: {error}\n")),
        }
    }
}
