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

/** Creates a damaged database, whose log cannot be merged into it, and its replacement. */
function prepare() {
  const file = join(temporaryFolder(), "platform.db");
  writeFileSync(file, "old");
  writeFileSync(`${file}-wal`, "its log");
  writeFileSync(`${file}.audit-head`, "its trail's head");
  writeFileSync(draftOf(file), "new");
  return { file, kept: `${file}.before-restore-1` };
}

test("the new database gets the name, and the old one is kept with its log and its trail's head", () => {
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

test("if a step fails after the old database was moved, it is moved back", () => {
  const { file, kept } = prepare();
  // A folder cannot be removed as a file. This step comes after the log was moved.
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

test("if the old database is lost, its trail's head is kept when a new database replaces it", () => {
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
  expect(names()).toEqual(["platform.db", "platform.db.before-restore-1.audit-head"]);
});

test("if a restore was killed before the replacement, the next start restores the trail's head", () => {
  const { file, kept } = prepare();
  // At that time, the old database has a second name, and its other files are still in place.
  linkSync(file, kept);
  renameSync(`${file}.audit-head`, `${kept}.audit-head`);
  expect(undo(file)).toBe(true);
  expect(readdirSync(join(file, "..")).sort()).toEqual([
    "platform.db",
    "platform.db-wal",
    "platform.db.audit-head",
  ]);
});
