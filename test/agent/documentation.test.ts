import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const rows = read("docs/reference/agent-library.md")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  // The names in backticks in the first column.
  .flatMap((line) => [...(line.split(" | ")[0] ?? "").matchAll(/`\.?([^`]+)`/g)])
  .map(([, name]) => name?.replace(/^timing\./, ""));

function names(file: string, from: string, pattern: RegExp): string[] {
  const source = read(file);
  const start = source.indexOf(from);
  const part = source.slice(start, source.indexOf("\n\n", start));
  const found = [...part.matchAll(pattern)].map(([, name]) => name ?? "");
  expect(found.length, from).toBeGreaterThan(5);
  return found;
}

test.each([
  ["event types", names("src/agent/events/events.ts", "type Facts", /type: "([^"]+)"/g)],
  ["codes of commands", names("src/agent/work/commands.ts", "type ResultCode", /\| "([A-Z_]+)"/g)],
  ["options", names("src/agent/options.ts", "interface AgentOptions", /^ {2}(\w+)\??:/gm)],
  ["times", names("src/agent/options.ts", "interface Timing", /^ {2}(\w+)\??:/gm)],
])("docs/reference/agent-library.md lists all %s of the library", (_, found) => {
  expect(found.filter((name) => name !== "timing" && !rows.includes(name))).toEqual([]);
});
