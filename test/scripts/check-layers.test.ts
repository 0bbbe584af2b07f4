// Each violation has a small source tree in a temporary folder.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkLayers } from "../../scripts/check-layers.ts";
import { temporaryFolder } from "../helpers/app.ts";

/** The keys of `files` are paths. Returns one line for each violation. */
function check(files: Record<string, string>): string[] {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkLayers(root).map(({ file, message }) => `${file}: ${message}`);
}

test("a tree that follows the table has no violations", () => {
  const lines = check({
    "src/lib/ulid.ts": "export const ulid = 1;",
    "src/domain/agents.ts": 'import { ulid } from "../lib/ulid.ts"; export const agent = ulid;',
    "src/api/agents.ts":
      'import { z } from "zod"; export * from "../domain/agents.ts"; export { z };',
    "src/store/agents.ts": 'import { open } from "node:fs/promises"; export { open };',
    "src/core/agents.ts":
      'import { open } from "../store/agents.ts"; import type { A } from "../api/agents.ts";' +
      'export type { B } from "../api/agents.ts"; type C = import("../api/agents.ts").C;',
    "src/http/routes/agents.ts": 'import "../../core/agents.ts"; import "../../api/agents.ts";',
    "src/client/client.ts": 'import "../api/agents.ts";',
    "src/app.ts": 'import "./http/routes/agents.ts"; import "./client/client.ts";',
    "src/serve.ts": 'import { app } from "./app.ts";',
    "src/cli/commands/serve.ts": 'export const run = () => import("../../serve.ts");',
    "src/cli/index.ts": `const load = (noun) => import(\`./commands/\${noun}.ts\`); import(load);`,
    "src/main.ts": 'import "./cli/index.ts";',
    "src/console/notes.md": 'import "../store/agents.ts"',
  });
  expect(lines).toEqual([]);
});

const known = {
  "src/store/agents.ts": "export type Row = 1; export const rows = [];",
  "src/api/agents.ts": "export type A = 1; export const a = 1;",
  "src/app.ts": "export type App = 1; export const app = 1;",
};

const wholly = "http may not import store (src/store/agents.ts)";
const exceptTypes = "core may not import api (src/api/agents.ts), except with import type";
const exceptLazily = "cli may not import app (src/app.ts), except with a lazy import()";

test("the folders of a room are in order", () => {
  const lines = check({
    "src/core/context.ts": 'import type { Audit } from "./audit/trail.ts";',
    "src/core/audit/trail.ts":
      'export type Audit = 1; import type { A } from "../fleet/agents.ts";',
    "src/core/fleet/agents.ts": 'import "../audit/head.ts"; export type A = 1;',
    "src/core/audit/head.ts": "",
    "src/core/unknown/thing.ts": 'import "../audit/head.ts";',
  });
  expect(lines).toEqual([
    "src/core/audit/trail.ts: core/audit may not import core/fleet, which comes after it (src/core/fleet/agents.ts)",
    "src/core/unknown/thing.ts: core/unknown is not in the order of scripts/layers.ts",
  ]);
});

test.each([
  [
    "http",
    'import { rows } from "../store/agents.ts"; export * from "../store/agents.ts";',
    wholly,
  ],
  ["http", 'type Row = import("../store/agents.ts").Row;', wholly],
  ["http", 'await import("../store/agents.ts");', wholly],
  ["http", `await import(\`../store/\${process.title}.ts\`);`, wholly.replace("agents", "*")],
  ["core", 'import { a } from "../api/agents.ts";', exceptTypes],
  // The import remains when types are erased.
  ["core", 'import { type A } from "../api/agents.ts";', exceptTypes],
  ["cli", 'import type { App } from "../app.ts";', exceptLazily],
])("a file in %s may not contain %s", (room, text, message) => {
  const file = `src/${room}/file.ts`;
  expect(check({ ...known, [file]: text })).toEqual([`${file}: ${message}`]);
});

const broken: [name: string, line: string, files: Record<string, string>][] = [
  [
    "an import from outside src",
    "src/lib/a.ts: lib may not import from outside src (scripts/build.ts)",
    { "src/lib/a.ts": 'import "../../scripts/build.ts";' },
  ],
  [
    "a room that the table does not know",
    "src/utils/a.ts: utils is not a room of scripts/layers.ts",
    { "src/utils/a.ts": "export {};" },
  ],
  [
    "a circle",
    "src/lib/b.ts: import cycle src/lib/b.ts -> src/lib/c.ts -> src/lib/b.ts",
    {
      "src/lib/a.ts": 'import "./b.ts";',
      "src/lib/b.ts": 'import "./c.ts"; import type { C } from "./c.ts";',
      "src/lib/c.ts": 'import type { B } from "./b.ts"; export * from "./b.ts";',
    },
  ],
  [
    "an import cycle that a lazy import hides",
    "src/lib/a.ts: import cycle src/lib/a.ts -> src/lib/b.ts -> src/lib/a.ts",
    {
      "src/lib/a.ts": 'import type { B } from "./b.ts";',
      "src/lib/b.ts": 'export const run = () => import("./a.ts");',
    },
  ],
  [
    "an import cycle through a lazy import with a partly computed name",
    "src/lib/index.ts: import cycle src/lib/index.ts -> src/lib/nouns/a.ts -> src/lib/index.ts",
    {
      "src/lib/nouns/a.ts": 'import "../index.ts";',
      "src/lib/index.ts": `export const load = (noun) => import(\`./nouns/\${noun}.ts\`);`,
    },
  ],
  [
    "a builtin that is reachable from api",
    "src/lib/random.ts: crypto would reach browsers " +
      "(src/api/agents.ts -> src/domain/agents.ts -> src/lib/random.ts)",
    {
      "src/api/agents.ts": 'import "../domain/agents.ts"; import type { H } from "../lib/hash.ts";',
      "src/domain/agents.ts": 'import "../lib/random.ts"; import type { U } from "node:url";',
      "src/lib/random.ts": 'import { randomInt } from "crypto";',
      "src/lib/hash.ts": 'import { createHash } from "node:crypto";',
    },
  ],
  [
    "a builtin in the console",
    "src/console/main.ts: node:fs would reach browsers (src/console/main.ts)",
    { "src/console/main.ts": 'import "node:fs";' },
  ],
];

test.each(broken)("%s", (_, line, files) => {
  expect(check(files)).toEqual([line]);
});

test("the error for a file that cannot be parsed names the file", () => {
  expect(() => check({ "src/lib/a.ts": "import {" })).toThrow(/^src\/lib\/a\.ts: /);
});
