import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findFiles } from "../../../src/cli/commands/declarations/folder.ts";
import { temporaryFolder } from "../../helpers/app.ts";

/** Creates a folder with one file, and next to it another folder with a secret. */
function folders() {
  const parent = mkdtempSync(join(temporaryFolder(), "repository-"));
  const [folder, outside] = [join(parent, "deploy"), join(parent, "outside")];
  for (const path of [folder, outside]) mkdirSync(path);
  writeFileSync(join(folder, "a.yaml"), "kind: A\n");
  writeFileSync(join(outside, "b.yaml"), "kind: B\n");
  return { folder, outside };
}

function found(folder: string, followsLinks = false) {
  const { files, problems } = findFiles(folder, followsLinks);
  return {
    names: files.map(({ name }) => name),
    problems: problems.map(({ path, message }) => `${path.slice(folder.length + 1)} ${message}`),
  };
}

const out = "is a link that leads out of the folder: use --follow-links to read it";
const special = "is not a regular file";

test("links within the folder are followed, and others only on demand", () => {
  const { folder, outside } = folders();
  mkdirSync(join(folder, "z"));
  symlinkSync("../a.yaml", join(folder, "z/again.yaml"));
  symlinkSync(outside, join(folder, "folder"));
  symlinkSync(join(outside, "b.yaml"), join(folder, "file.yaml"));
  expect(found(folder)).toEqual({
    names: ["a.yaml"],
    problems: [`file.yaml ${out}`, `folder ${out}`],
  });
  expect(found(folder, true)).toEqual({ names: ["a.yaml", "file.yaml"], problems: [] });
});

test("a link to the folder itself can be given", () => {
  const { folder, outside } = folders();
  const link = join(outside, "link");
  symlinkSync(folder, link);
  expect(found(link)).toEqual({ names: ["a.yaml"], problems: [] });
});

test("what is not a file on a disk is refused, and nothing waits for it", () => {
  const { folder } = folders();
  execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
  symlinkSync("/dev/zero", join(folder, "device.yaml"));
  symlinkSync("/proc/self/environ", join(folder, "environment.yaml"));
  expect(found(folder, true)).toEqual({
    names: ["a.yaml"],
    problems: [
      `device.yaml ${special}`,
      ...(process.platform === "linux" ? [`environment.yaml ${special}`] : []),
      `pipe.yaml ${special}`,
    ],
  });
});

test("a folder with too many entries, and too much text, are not read to the end", () => {
  const { folder, outside } = folders();
  for (let n = 0; n < 10_001; n++) writeFileSync(join(outside, `${n}`), "");
  symlinkSync(outside, join(folder, "many"));
  expect(found(folder, true)).toEqual({
    names: ["a.yaml"],
    problems: ["many has, with the folders before it, more than 10000 files and folders"],
  });
  const { folder: large } = folders();
  const text = " ".repeat(1024 * 1024);
  for (let n = 0; n < 18; n++) writeFileSync(join(large, `${10 + n}.yaml`), text);
  const { names, problems } = found(large);
  expect(names).toHaveLength(16);
  expect(problems).toEqual(["26.yaml is, with the files before it, larger than 16 MiB"]);
});
