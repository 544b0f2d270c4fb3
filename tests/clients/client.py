"""Drives an MCP server with the official Python client and holds it to its own schemas.

    client.py COMMAND [ARGUMENT...]

Lists the tools, calls those of the plan below, and validates every structured result, of failures too,
against the output schema that tools/list gave. Exit status 0 when everything holds.
"""

import asyncio
import json
import pathlib
import sys
import tempfile

import jsonschema
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

NO_OPERATION = "0" * 32


def plan(picture):
    """(tool, arguments, whether it must succeed; None where either will do)."""
    return [
        ("status.get", {}, True),
        ("help.get", {}, True),
        ("automation.list", {}, True),
        # Whether settings may be read and written is the policy's; the answers must fit all the same.
        ("settings.list_keys", {}, None),
        ("settings.get", {"key": "playback.speed"}, None),
        ("settings.get", {"all": True}, None),
        ("settings.set", {"key": "playback.speed", "value": "1.5"}, None),
        ("settings.set", {"key": "mcp.shellExecute", "value": "true"}, False),
        ("settings.reset", {"key": "playback.speed"}, None),
        ("automation.get", {"operationId": NO_OPERATION}, False),
        ("automation.stop", {"operationId": NO_OPERATION}, False),
        ("image.read", {"imagePath": "/nonexistent/picture.png"}, False),
        ("cursor.position", {}, True),
        ("screen.read", {"mode": "pixel", "x": 5, "y": 5}, True),
        ("screen.read", {"mode": "wait_color", "x": 5, "y": 5, "color": "ABCDEF", "timeoutMs": 50}, False),
        ("screen.read", {"mode": "search_color", "x": 0, "y": 0, "x2": 9, "y2": 9, "color": "ABCDEF",
                         "timeoutMs": 0, "failOnTimeout": False}, True),
        ("window.query", {"mode": "list"}, True),
        ("window.query", {"mode": "wait", "selectorKind": "title", "selectorValue": "no such window",
                          "timeoutMs": 50}, True),
        ("window.control", {"action": "focus", "selectorKind": "title", "selectorValue": "no such window"}, False),
        ("screenshot.capture", {"includeImage": True}, True),
        ("screenshot.capture", {"outputPath": picture, "regionX": 0, "regionY": 0, "regionWidth": 64,
                                "regionHeight": 48}, True),
        ("screenshot.capture", {}, False),
        ("image.read", {"imagePath": picture, "includeImage": True}, True),
        ("clipboard.set_text", {"text": "grüße 🙂"}, True),
        ("clipboard.get_text", {}, True),
        ("clipboard.set_image", {"imagePath": picture}, True),
        ("clipboard.get_image", {"includeImage": True}, True),
        ("automation.start", {"kind": "run", "steps": ["move abs 40 50", "delay 1ms"]}, True),
        ("automation.start", {"kind": "run", "steps": ["no such step"]}, False),
    ]


def stored(macro, picture):
    """The plan that both clients share. `$id` is the task that was added last."""
    text = pathlib.Path(__file__).with_name("stored.json").read_text()
    folder = pathlib.Path(macro).parent
    names = {"$macro": macro, "$picture": picture, "$folder": folder, "$wrong": folder / "wrong.macro"}
    for name, path in names.items():
        text = text.replace(name, str(path))
    return json.loads(text)


class Checks:
    def __init__(self, tools):
        self.schemas = {tool.name: tool.output_schema for tool in tools}
        for schema in self.schemas.values():
            jsonschema.Draft202012Validator.check_schema(schema)
        self.seen = set()
        self.faults = []

    def result(self, tool, result, expected):
        self.seen.add(tool)
        structured = result.structured_content
        errors = list(jsonschema.Draft202012Validator(self.schemas[tool]).iter_errors(structured))
        self.faults += [f"{tool}: {error.json_path}: {error.message}" for error in errors]
        if errors:
            return
        outcome = structured["outcome"]
        if result.is_error == outcome["success"]:
            self.faults.append(f"{tool}: isError is {result.is_error} and success is {outcome['success']}")
        if expected is not None and outcome["success"] != expected:
            self.faults.append(f"{tool}: {outcome}")
        if not result.content or not result.content[0].text:
            self.faults.append(f"{tool}: no text")


async def wait_for_end(session, checks, operation):
    """The operation that automation.start gave, at its end."""
    for _ in range(10):
        result = await session.call_tool("automation.get", {"operationId": operation, "waitMs": 5000})
        checks.result("automation.get", result, True)
        if result.structured_content["operation"]["state"] != "running":
            return result.structured_content["operation"]
    raise SystemExit("the operation does not end")


async def drive(session, picture):
    hello = await session.initialize()
    assert hello.server_info.name == "CrossMacro", hello
    tools = (await session.list_tools()).tools
    checks = Checks(tools)
    macro = pathlib.Path(picture).with_name("clients.macro")
    macro.write_text("[Events]\nKP,30\nKR,30\n")
    macro.with_name("wrong.macro").write_text("[Events]\nKP,A\nKQ,30\nKR,30\n")
    task = None
    for tool, arguments, expected in plan(picture) + stored(str(macro), picture):
        arguments = {key: task if value == "$id" else value for key, value in arguments.items()}
        if tool not in checks.schemas:
            checks.faults.append(f"{tool} is not listed")
            continue
        result = await session.call_tool(tool, arguments)
        checks.result(tool, result, expected)
        answer = result.structured_content or {}
        task = (answer.get("task") or {}).get("id", task)
        operation = (answer.get("operation") or {}).get("operationId")
        if tool == "automation.start" and operation:
            ended = await wait_for_end(session, checks, operation)
            if ended["state"] != "succeeded":
                checks.faults.append(f"{tool}: {ended}")
    unknown = await session.call_tool("no.such.tool", {})
    if not unknown.is_error:
        checks.faults.append("an unknown tool succeeds")
    missing = sorted(set(checks.schemas) - checks.seen)
    if missing:
        checks.faults.append(f"never called: {', '.join(missing)}")
    return hello.protocol_version, len(tools), checks.faults


async def main(command):
    server = StdioServerParameters(command=command[0], args=command[1:])
    with tempfile.TemporaryDirectory() as folder:
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            version, count, faults = await drive(session, f"{folder}/picture.png")
    for fault in faults:
        print(f"python client: {fault}")
    print(f"python client: protocol {version}, {count} tools, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
