// A database that takes the place of another: when the disk refuses a step, all is as it was before.

import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { draftOf, replaceFile, undo } from "../../../src/store/files/replace-file.ts";
import { temporaryFolder } from "../../helpers/app.ts";

/** A damaged database, whose log cannot be folded into it; and what is to replace it. */
function prepare() {
  const file = join(temporaryFolder(), "platform.db");
  writeFileSync(file, "old");
  writeFileSync(`${file}-wal`, "its log");
  writeFileSync(`${file}.audit-head`, "its trail's head");
  writeFileSync(draftOf(file), "new");
  return { file, kept: `${file}.before-restore-1` };
}

test("the new one has the name, the old one is kept with its log and its trail's head", () => {
  const { file, kept } = prepare();
  replaceFile(file, kept);
  const names = [file, kept, `${kept}-wal`, `${kept}.audit-head`];
  expect(names.map((name) => readFileSync(name, "utf8"))).toEqual([
    "new",
    "old",
    "its log",
    "its trail's head",
  ]);
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(existsSync(`${file}.audit-head`)).toBe(false);
});

test("a step that fails after the old one was kept takes that back", () => {
  const { file, kept } = prepare();
  // No file: it cannot be removed, and that comes after the log was moved.
  mkdirSync(`${file}-shm`);
  expect(() => replaceFile(file, kept)).toThrow();
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readFileSync(`${file}-wal`, "utf8")).toBe("its log");
  expect(statSync(file).nlink).toBe(1);
  expect(readdirSync(join(file, "..")).sort()).toEqual([
    "platform.db",
    "platform.db-shm",
    "platform.db-wal",
    "platform.db.audit-head",
  ]);
  expect(readFileSync(`${file}.audit-head`, "utf8")).toBe("its trail's head");
});

test("of a database that is lost, the trail's head is given back, or goes with the new one", () => {
  const { file, kept } = prepare();
  rmSync(file);
  rmSync(`${file}-wal`);
  mkdirSync(`${file}-shm`);
  expect(() => replaceFile(file, kept)).toThrow();
  const names = () => readdirSync(join(file, "..")).sort();
  expect(names()).toEqual(["platform.db-shm", "platform.db.audit-head"]);
  rmdirSync(`${file}-shm`);
  writeFileSync(draftOf(file), "new");
  replaceFile(file, kept);
  expect(names()).toEqual(["platform.db"]);
});

test("a restore that was killed before the change: the next start gives back the trail's head", () => {
  const { file, kept } = prepare();
  // As it is then: the old database has a second name, and what belongs to it lies there.
  linkSync(file, kept);
  renameSync(`${file}.audit-head`, `${kept}.audit-head`);
  expect(undo(file)).toBe(true);
  expect(readdirSync(join(file, "..")).sort()).toEqual([
    "platform.db",
    "platform.db-wal",
    "platform.db.audit-head",
  ]);
});
