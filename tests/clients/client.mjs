// Drives an MCP server with the official TypeScript SDK, which validates every structured result against the
// output schema that tools/list gave, by its own validator (ajv).
//
//   node client.mjs COMMAND [ARGUMENT...]
//
// Exit status 0 when everything holds.

import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The SDK is installed beside the build, not beside this file.
const require = createRequire(join(process.env.MCP_CLIENTS ?? process.cwd(), "package.json"));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const Ajv2020 = require("ajv/dist/2020").default;

const noOperation = "0".repeat(32);

const plan = (picture) => [
  ["status.get", {}, true],
  ["help.get", {}, true],
  ["automation.list", {}, true],
  // Whether settings may be read and written is the policy's; the answers must fit all the same.
  ["settings.list_keys", {}, undefined],
  ["settings.get", { key: "playback.speed" }, undefined],
  ["settings.set", { key: "playback.speed", value: "1.5" }, undefined],
  ["settings.reset", { key: "playback.speed" }, undefined],
  ["automation.get", { operationId: noOperation }, false],
  ["automation.stop", { operationId: noOperation }, false],
  ["cursor.position", {}, true],
  ["screen.read", { mode: "pixel", x: 5, y: 5 }, true],
  ["screen.read", { mode: "pixel", x: 5.5, y: 5 }, false],
  ["window.query", { mode: "list" }, true],
  ["window.control", { action: "focus", selectorKind: "title", selectorValue: "no such window" }, false],
  ["screenshot.capture", { outputPath: picture, includeImage: true }, true],
  ["image.read", { imagePath: picture }, true],
  ["clipboard.set_text", { text: "grüße 🙂" }, true],
  ["clipboard.get_text", {}, true],
  ["clipboard.set_image", { imagePath: picture }, true],
  ["clipboard.get_image", {}, true],
  ["automation.start", { kind: "run", steps: ["move abs 40 50"] }, true],
];

// The plan that both clients share. `$id` is the task that was added last.
const stored = (names) => {
  let text = readFileSync(new URL("stored.json", import.meta.url), "utf8");
  for (const [name, path] of Object.entries(names)) text = text.replaceAll(name, path);
  return JSON.parse(text);
};

const faults = [];
const folder = mkdtempSync(join(tmpdir(), "crossmacro-client-"));
const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "crossmacro-test", version: "1" });
await client.connect(new StdioClientTransport({ command, args }));
const { tools } = await client.listTools();
const ajv = new Ajv2020({ strict: false, allErrors: true });
const validators = new Map(tools.map((tool) => [tool.name, ajv.compile(tool.outputSchema)]));
const seen = new Set();

const picture = join(folder, "picture.png");
const macro = join(folder, "clients.macro");
writeFileSync(macro, "[Events]\nKP,30\nKR,30\n");
const wrong = join(folder, "wrong.macro");
writeFileSync(wrong, "[Events]\nKP,A\nKQ,30\nKR,30\n");
const names = { $macro: macro, $picture: picture, $folder: folder, $wrong: wrong };
let task;
for (const [name, planned, expected] of [...plan(picture), ...stored(names)]) {
  seen.add(name);
  const callArguments = Object.fromEntries(Object.entries(planned).map(([key, value]) => [key, value === "$id" ? task : value]));
  try {
    // callTool itself throws when a successful result does not fit; failures are checked here.
    const result = await client.callTool({ name, arguments: callArguments });
    const validate = validators.get(name);
    if (!validate?.(result.structuredContent)) faults.push(`${name}: ${JSON.stringify(validate?.errors ?? "not listed")}`);
    task = result.structuredContent?.task?.id ?? task;
    const success = result.structuredContent?.outcome?.success;
    if (expected !== undefined && expected !== null && success !== expected) faults.push(`${name}: ${JSON.stringify(result.structuredContent?.outcome)}`);
    if (Boolean(result.isError) === success) faults.push(`${name}: isError does not fit`);
  } catch (error) {
    faults.push(`${name}: ${error.message}`);
  }
}
for (const tool of tools) if (!seen.has(tool.name)) faults.push(`never called: ${tool.name}`);
await client.close();
rmSync(folder, { recursive: true, force: true });
for (const fault of faults) console.log(`typescript client: ${fault}`);
console.log(`typescript client: ${tools.length} tools, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
