// Only the files that wire the program together may use the clock, randomness, the environment and
// the console. The linter checks files in a temporary folder with a copy of the configuration.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { perFile } from "../helpers/lifetime.ts";

const project = join(import.meta.dirname, "../..");

const clock = "export const at = Date.now();\n";

const ambient: [text: string, rule: string][] = [
  [clock, "plugin"],
  ["export const clock = { now: Date.now };\n", "plugin"],
  ["export const at = new Date();\n", "plugin"],
  ["export const at = Date();\n", "plugin"],
  ["export const dice = Math.random();\n", "plugin"],
  ["export const id = crypto.randomUUID();\n", "plugin"],
  ["export const id = globalThis.crypto.randomUUID();\n", "plugin"],
  ['export { randomUUID } from "node:crypto";\n', "lint/style/noRestrictedImports"],
  [
    'import { randomUUID } from "node:crypto";\n\nexport const id = randomUUID();\n',
    "lint/style/noRestrictedImports",
  ],
  ["export const home = process.env.HOME;\n", "lint/style/noProcessEnv"],
  [
    'import { env } from "node:process";\n\nexport const home = env.HOME;\n',
    "lint/style/noProcessEnv",
  ],
  ['console.log("hello");\n', "lint/suspicious/noConsole"],
];

const harmless = [
  "export const at = new Date(5);\n",
  "export const row = { console: 1, now: 2, random: 3, randomUUID: 4 };\n",
  'import { createHash } from "node:crypto";\n\nexport const hash = createHash("sha256");\n',
];

const ruled = ["lib", "domain", "api", "store", "core", "jobs", "http", "client", "console"];

const wiring = [
  "src/main.ts",
  "src/cli/commands/agents.ts",
  "src/agent/index.ts",
  "scripts/demo.ts",
];
const wired = `${clock}export const home = process.env.HOME;\nconsole.log("hello");\n`;

const planted: { path: string; text: string; breaks: string[] }[] = [
  ...ambient.map(([text, rule], index) => {
    return { path: `src/core/ambient-${index}.ts`, text, breaks: [rule] };
  }),
  ...harmless.map((text, index) => ({ path: `src/core/harmless-${index}.ts`, text, breaks: [] })),
  ...ruled.map((room) => ({ path: `src/${room}/agents.ts`, text: clock, breaks: ["plugin"] })),
  ...wiring.map((path) => ({ path, text: wired, breaks: [] })),
];

const found = perFile(async () => {
  const folder = temporaryFolder();
  cpSync(join(project, "biome.json"), join(folder, "biome.json"));
  cpSync(join(project, "scripts/lint"), join(folder, "scripts/lint"), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  for (const { path, text } of planted) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const biome = join(project, "node_modules/.bin/biome");
  const options = ["--vcs-enabled=false", "--max-diagnostics=none", "--reporter=json"];
  const { stdout } = spawnSync(biome, ["lint", ...options], { cwd: folder, encoding: "utf8" });
  return JSON.parse(stdout).diagnostics as { category: string; location: { path: string } }[];
});

test.each(planted)("$path: $text", ({ path, breaks }) => {
  const here = found().filter(({ location }) => location.path === path);
  expect(here.map(({ category }) => category)).toEqual(breaks);
});
