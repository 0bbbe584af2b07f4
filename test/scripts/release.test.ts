// A complete release in a temporary repository uses quick commands instead of the slow builds.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { releaseChangelog } from "../../scripts/release/changelog.ts";
import { newestRelease, nextVersion } from "../../scripts/release/version.ts";
import { temporaryFolder } from "../helpers/app.ts";

const project = join(import.meta.dirname, "../..");

test.each([
  ["patch", "1.2.3", "1.2.4"],
  ["minor", "1.2.3", "1.3.0"],
  ["major", "1.2.3", "2.0.0"],
  ["patch", "1.2.3-rc.1", "1.2.3"],
  ["1.2.3", "1.2.3", "1.2.3"],
])("the next version for %s after %s is %s", (wanted, current, expected) => {
  expect(nextVersion(wanted, current, null)).toBe(expected);
});

test.each([
  ["next", /neither a version/],
  ["01.2.3", /neither a version/],
  ["1.2.3+build", /neither a version/],
  ["1.2.3", /not newer than the last release, 1\.2\.3/],
  ["1.2.3-rc.1", /not newer/],
])("the version %s is refused after 1.2.3", (wanted, message) => {
  expect(() => nextVersion(wanted, "1.2.3", "1.2.3")).toThrow(message);
});

test("the newest release is the tag with the highest version", () => {
  const tags = ["v0.9.0", "v0.10.0-rc.2", "v0.10.0-rc.10", "nightly", "v1", "v0.2.0"];
  expect(newestRelease(tags)).toBe("0.10.0-rc.10");
  expect(newestRelease([...tags, "v0.10.0"])).toBe("0.10.0");
  expect(newestRelease(["", "nightly"])).toBeNull();
});

describe("the changelog", () => {
  const older = "## 0.1.0 - 2026-01-02\n\n### Added\n\n- The first one.\n";

  test("moves unreleased changes to their own section", () => {
    const text = `# Changelog\n\n## Unreleased\n\n### Fixed\n\n- It costs $& now.\n\n${older}`;
    expect(releaseChangelog(text, "0.2.0", "2026-03-04")).toEqual({
      notes: "### Fixed\n\n- It costs $& now.",
      text: `# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-03-04\n\n### Fixed\n\n- It costs $& now.\n\n${older}`,
    });
  });

  test("adds the date to an existing section", () => {
    const text = `# Changelog\n\n## Unreleased\n\n${older}`;
    expect(releaseChangelog(text, "0.1.0", "2026-03-04")).toEqual({
      notes: "### Added\n\n- The first one.",
      text: text.replace("2026-01-02", "2026-03-04"),
    });
  });

  test.each([
    ["## Unreleased\n\n", /has no entries/],
    ["", /no section/],
    ["## Unreleased\n\n- More.\n\n## 0.2.0\n\n- It.\n", /0\.2\.0 and also entries/],
  ])("is refused when it cannot be released: %j", (text, message) => {
    expect(() => releaseChangelog(text, "0.2.0", "2026-03-04")).toThrow(message);
  });
});

test("a release is refused with its reason, shown by a dry run, undone if it fails half-way, and then creates a commit, a tag and artefacts", () => {
  const folder = newRepository();
  const before = git(folder, "rev-parse", "HEAD");
  const expectUnchanged = () => {
    expect(git(folder, "rev-parse", "HEAD")).toBe(before);
    expect(git(folder, "status", "--porcelain", "--ignored")).toBe("");
    expect(git(folder, "tag")).toBe("");
  };
  const dry = release(folder, ["major", "--dry-run"]);
  expect(dry.status).toBe(0);
  expect(dry.stdout).toContain("Set the version in package.json and package-lock.json to 1.0.0");
  expect(dry.stdout).toContain("    - Something.\n");
  expect(dry.stdout).toContain("Nothing was changed");
  expectUnchanged();

  const refused = (says: RegExp) => {
    const ended = release(folder, ["minor"]);
    expect(ended).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(says) });
  };
  git(folder, "checkout", "-q", "--detach");
  refused(/detached/);
  git(folder, "checkout", "-q", "trunk");
  write(folder, "new.txt", "");
  refused(/not clean/);
  rmSync(join(folder, "new.txt"));
  expectUnchanged();

  const failed = release(folder, ["minor"], { FAILS: "1" });
  expect(failed.status).toBe(1);
  const [, undo = ""] = /^ {4}(git tag .*)$/m.exec(failed.stderr) ?? [];
  execFileSync("sh", ["-c", undo], { cwd: folder });
  expectUnchanged();

  const { status, stdout } = release(folder, ["minor"]);
  expect(status).toBe(0);
  const version = "0.2.0";
  expect(JSON.parse(read(folder, "package.json")).version).toBe(version);
  const lock = JSON.parse(read(folder, "package-lock.json"));
  expect([lock.version, lock.packages[""].version]).toEqual([version, version]);
  const dated = /## Unreleased\n\n## 0\.2\.0 - \d{4}-\d\d-\d\d\n\n### Added/;
  expect(read(folder, "CHANGELOG.md")).toMatch(dated);
  expect(git(folder, "status", "--porcelain")).toBe("");
  expect(git(folder, "log", "-1", "--format=%s")).toBe(`Release ${version}`);
  expect(git(folder, "cat-file", "-t", `v${version}`)).toBe("tag");
  expect(git(folder, "rev-parse", `v${version}^{commit}`)).toBe(git(folder, "rev-parse", "HEAD"));
  const message = git(folder, "tag", "--list", "--format=%(contents)", `v${version}`);
  expect(message).toBe(`platform ${version}\n\n### Added\n\n- Something.`);
  expect(stdout).toContain("4/7 Create the annotated tag v0.2.0");
  expect(stdout).toMatch(/^ {4}\w{64} {2}platform-0\.2\.0-any$/m);
  expect(stdout).toContain("git push --atomic origin trunk v0.2.0");
});

/** A quick command that writes the same files as the real build, or fails. */
const quickBuild = `
  if (process.env.FAILS) process.exit(3);
  const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
  const name = "platform-" + JSON.parse(readFileSync("package.json")).version + "-any";
  mkdirSync("dist", { recursive: true });
  writeFileSync("dist/" + name, "");
  const sum = require("node:crypto").hash("sha256", "");
  writeFileSync("dist/SHA256SUMS", sum + "  " + name + "\\n");
`;

/** The repository has version 0.1.0, and the parts of this one that a release needs. */
function newRepository(): string {
  const folder = join(temporaryFolder(), "repository");
  cpSync(join(project, "scripts/release"), join(folder, "scripts/release"), { recursive: true });
  mkdirSync(join(folder, "scripts/package"), { recursive: true });
  for (const name of ["scripts/package/checksums.ts", ".gitignore"]) {
    copyFileSync(join(project, name), join(folder, name));
  }
  mkdirSync(join(folder, "../programs"));
  writeFileSync(join(folder, "../programs/npm"), quickNpm, { mode: 0o755 });
  write(folder, "build.cjs", quickBuild);
  const about = { name: "platform", version: "0.1.0", private: true };
  writeJson(folder, "package.json", { ...about, type: "module" });
  const packages = { "": about };
  writeJson(folder, "package-lock.json", { ...about, lockfileVersion: 3, packages });
  write(folder, "CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n### Added\n\n- Something.\n");
  git(folder, "init", "-q", "--initial-branch=trunk");
  git(folder, "add", ".");
  git(folder, "commit", "-q", "-m", "Begin");
  return folder;
}

const somebody = { NAME: "Somebody", EMAIL: "somebody@example.com" };
/**
 * Runs the build without npm, which takes much longer to start. Sets the version with npm, unless
 * the build will fail.
 */
const quickNpm = `#!/bin/sh
case "$*" in
  "run package") exec node build.cjs ;;
  "run package:deb") ;;
  *) test "$FAILS" || PATH=\${PATH#*:} exec npm "$@" ;;
esac
`;
/** git and npm behave as for a user without settings. */
const env = {
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  GIT_CONFIG_NOSYSTEM: "1",
  ...Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) =>
      Object.entries(somebody).map(([what, value]) => [`GIT_${who}_${what}`, value]),
    ),
  ),
};

function release(folder: string, words: string[], more: Record<string, string> = {}) {
  const PATH = `${join(folder, "../programs")}:${env.PATH}`;
  return spawnSync(process.execPath, [join(folder, "scripts/release/index.ts"), ...words], {
    cwd: folder,
    env: { ...env, PATH, HOME: dirname(folder), ...more },
    encoding: "utf8",
  });
}

function git(folder: string, ...words: string[]): string {
  const options = {
    cwd: folder,
    env: { ...env, HOME: dirname(folder) },
    encoding: "utf8",
  } as const;
  return execFileSync("git", words, options).trim();
}

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

function write(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function writeJson(folder: string, name: string, value: unknown): void {
  write(folder, name, `${JSON.stringify(value, null, 2)}\n`);
}
