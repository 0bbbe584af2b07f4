// npm run release: makes a release from a clean checkout, and prints what to do next. It pushes
// nothing. Only the artefacts need more than Node, npm and git, so it can start before `npm ci`.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sha256Of } from "../package/checksums.ts";
import { releaseChangelog } from "./changelog.ts";
import { bumpWords, newestRelease, nextVersion } from "./version.ts";

const project = join(import.meta.dirname, "../..");
const changelogFile = join(project, "CHANGELOG.md");
const artefacts = join(project, "dist");

interface Step {
  /** An imperative sentence that is printed before the step runs, or instead of running it. */
  what: string;
  run: () => void;
}

interface Release {
  version: string;
  tag: string;
  branch: string;
  /** The commit before the release. */
  before: string;
  changelog: string;
  notes: string;
}

try {
  main();
} catch (error) {
  console.error(`release: ${(error as Error).message}`);
  process.exitCode = 1;
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "dry-run": { type: "boolean", default: false } },
  });
  const [wanted, ...rest] = positionals;
  if (wanted === undefined || rest.length > 0) {
    throw new Error(`usage: npm run release -- VERSION|${bumpWords.join("|")} [--dry-run]`);
  }
  const release = plan(wanted);
  const steps = stepsOf(release);
  for (const [index, { what, run }] of steps.entries()) {
    console.log(`${index + 1}/${steps.length} ${what}`);
    if (!values["dry-run"]) attempt(run, release);
  }
  console.log(
    values["dry-run"] ? "\nNothing was changed: this was a dry run." : nextSteps(release),
  );
}

/** Adds to an error how to undo the release. */
function attempt(run: () => void, { tag, before }: Release): void {
  try {
    run();
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      `${message}\n\nThe release is not complete. Run the failed command again, or undo the release:\n\n` +
        `    git tag --delete ${tag}; git reset --hard ${before}`,
    );
  }
}

/** Throws if the checkout cannot be released. Changes nothing. */
function plan(wanted: string): Release {
  const changes = git("status", "--porcelain", "--untracked-files=normal");
  if (changes !== "") throw new Error(`the working tree is not clean:\n${changes}`);
  const branch = git("rev-parse", "--abbrev-ref", "HEAD");
  if (branch === "HEAD") throw new Error("HEAD is detached: check out the branch to release from");
  const { version: current } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  const released = newestRelease(git("tag", "--list", "v*").split("\n"));
  const version = nextVersion(wanted, current, released);
  const date = new Date().toISOString().slice(0, 10);
  const { text, notes } = releaseChangelog(readFileSync(changelogFile, "utf8"), version, date);
  const before = git("rev-parse", "--short", "HEAD");
  return { version, tag: `v${version}`, branch, before, changelog: text, notes };
}

function stepsOf({ version, tag, branch, changelog, notes }: Release): Step[] {
  return [
    {
      what: `Set the version in package.json and package-lock.json to ${version}`,
      run: () => npm("version", version, "--no-git-tag-version", "--allow-same-version"),
    },
    {
      what: `Write the section ${version} of CHANGELOG.md:\n\n${indented(notes)}\n`,
      run: () => writeFileSync(changelogFile, changelog),
    },
    {
      what: `Commit "Release ${version}" on ${branch}`,
      run: () => git("commit", "--allow-empty", "--all", "--message", `Release ${version}`),
    },
    {
      what: `Create the annotated tag ${tag}`,
      // git would otherwise remove the headings of the notes as comments.
      run: () =>
        git(
          "tag",
          "--annotate",
          "--cleanup=verbatim",
          "-m",
          `platform ${version}\n\n${notes}\n`,
          tag,
        ),
    },
    { what: "Build the single files (npm run package)", run: () => npm("run", "package") },
    {
      what: "Build the Debian packages (npm run package:deb)",
      run: () => npm("run", "package:deb"),
    },
    { what: "Compare the artefacts in dist/ with SHA256SUMS", run: checkArtefacts },
  ];
}

function checkArtefacts(): void {
  const sums = readFileSync(join(artefacts, "SHA256SUMS"), "utf8").trim().split("\n");
  for (const line of sums) {
    const [sum, name = ""] = line.split("  ");
    if (sha256Of(join(artefacts, name)) !== sum)
      throw new Error(`${name} does not match its checksum`);
  }
  console.log(indented(sums.join("\n")));
}

function nextSteps({ tag, branch, before }: Release): string {
  return `
${tag} is committed and tagged here; nothing was pushed. Next:

    git show ${tag}                      # look at it once more
    git push --atomic origin ${branch} ${tag}

Pushing the tag starts the workflow "Release", which tests the tag, builds it again and drafts a release. The same
commit gives the same bytes: compare the checksums of the single files with those in dist/SHA256SUMS.

To take the release back before it is pushed: git tag --delete ${tag} && git reset --hard ${before}`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "    ");
}

function git(...words: string[]): string {
  return execFileSync("git", words, { cwd: project, encoding: "utf8" }).trim();
}

function npm(...words: string[]): void {
  execFileSync("npm", words, { cwd: project, stdio: "inherit" });
}
