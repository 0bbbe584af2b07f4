import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { keepFile } from "../../src/packaged/kept-file.ts";
import { temporaryFolder } from "../helpers/app.ts";

const content = Buffer.from("what the name says");
const sha256 = createHash("sha256").update(content).digest("hex");
const name = `native/${sha256}/module.node`;

/** Returns the file's path, and how often the content was read. */
function keep(folder: string): { file: string; unpacked: number } {
  let unpacked = 0;
  const file = keepFile(folder, name, () => {
    unpacked++;
    return content;
  });
  return { file, unpacked };
}

test("a file is unpacked once, only this user can access it, and no other file remains beside it", () => {
  const folder = join(temporaryFolder(), "cache/platform");
  const { file, unpacked } = keep(folder);
  expect(unpacked).toBe(1);
  expect(file).toBe(join(folder, name));
  expect(readFileSync(file)).toEqual(content);
  expect(statSync(file).mode & 0o777).toBe(0o500);
  for (let made = dirname(file); made !== dirname(folder); made = dirname(made)) {
    expect(statSync(made).mode & 0o777, made).toBe(0o700);
  }
  expect(readdirSync(dirname(file))).toEqual(["module.node"]);
  const { ino } = statSync(file);
  expect(keep(folder)).toEqual({ file, unpacked: 0 });
  expect(statSync(file).ino).toBe(ino);
});

test.each<[found: string, spoil: (file: string) => void]>([
  ["a file that was cut short", (file) => writeFileSync(file, "what the")],
  [
    "a file of the same length with other content",
    (file) => writeFileSync(file, "what the nane says"),
  ],
  [
    "a link to the right content",
    (file) => {
      writeFileSync(`${dirname(dirname(dirname(file)))}/elsewhere`, content);
      symlinkSync("../../elsewhere", file);
    },
  ],
])("%s is replaced", (_, spoil) => {
  const folder = temporaryFolder();
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  spoil(file);
  expect(keep(folder)).toEqual({ file, unpacked: 1 });
  expect(statSync(file).mode & 0o777).toBe(0o500);
  expect(readFileSync(file)).toEqual(content);
});

// trusted-folder.test.ts tests which places other users can write to.
test("nothing is unpacked where other users can write", () => {
  const folder = temporaryFolder();
  const inside = join(folder, "native", sha256);
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  chmodSync(inside, 0o777);
  expect(() => keep(folder)).toThrow(`others can write to ${inside}`);
  expect(existsSync(join(folder, name))).toBe(false);
  const open = temporaryFolder();
  chmodSync(open, 0o777);
  expect(() => keep(open)).toThrow(`others can write to ${open}`);
  expect(readdirSync(open)).toEqual([]);
});

test("the next process that unpacks removes the leftovers of a killed process", () => {
  const folder = temporaryFolder();
  const home = dirname(join(folder, name));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  for (const draft of ["new-killed", "new-at-work", "other"]) {
    mkdirSync(join(home, draft));
    writeFileSync(join(home, draft, "half"), "half");
  }
  for (const old of ["new-killed", "other"]) utimesSync(join(home, old), 1000, 1000);
  keep(folder);
  expect(readdirSync(home).sort()).toEqual(["module.node", "new-at-work", "other"]);
});

test("a file that cannot be written is reported, and nothing remains", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "native"), "a file");
  expect(() => keep(folder)).toThrow(/EEXIST|ENOTDIR/);
  expect(() =>
    keepFile(join(folder, "other"), name, () => {
      throw new Error("the archive is spoilt");
    }),
  ).toThrow("the archive is spoilt");
  expect(readdirSync(join(folder, "other/native", sha256))).toEqual([]);
});
