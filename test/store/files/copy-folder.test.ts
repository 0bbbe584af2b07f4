import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { CopyFolder, removeLeftCopies } from "../../../src/store/files/copy-folder.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { startCommand, until } from "../../helpers/process/process.ts";

test("folders in use stay, and folders left by a crash are removed", async () => {
  const inside = temporaryFolder();
  const mine = await CopyFolder.make(inside);
  writeFileSync(mine.file, "a copy");
  // Older versions used these names: for this process, and for a process that cannot exist.
  for (const name of [
    `backup-${process.pid}-a1b2c3`,
    "backup-99999999-a1b2c3",
    "backup-copy-x9y8z7",
  ]) {
    mkdirSync(join(inside, name));
    writeFileSync(join(inside, name, "copy.db"), "left");
  }
  for (const name of ["backups", "backup-monday"]) mkdirSync(join(inside, name));
  await removeLeftCopies(inside);
  expect(readdirSync(inside).sort()).toEqual(
    [dirname(mine.file).split("/").at(-1), "backups", "backup-monday"].sort(),
  );
  await mine.remove();
  expect(existsSync(mine.file)).toBe(false);
});

test("a folder that another process uses stays until that process has ended, however it ended", async () => {
  const inside = temporaryFolder();
  const module = pathToFileURL(
    join(import.meta.dirname, "../../../src/store/files/copy-folder.ts"),
  ).href;
  const script = `
    const { CopyFolder } = await import(${JSON.stringify(module)});
    const folder = await CopyFolder.make(${JSON.stringify(inside)});
    console.log(folder.file);
    setInterval(() => undefined, 1000);`;
  const words = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  const other = startCommand([process.execPath, ...words]);
  const file = await until("the other process runs", () => other.stdout().trim());
  writeFileSync(file, "a copy");
  await removeLeftCopies(inside);
  expect(existsSync(file)).toBe(true);
  other.signal("SIGKILL");
  await other.ended;
  await removeLeftCopies(inside);
  expect(readdirSync(inside)).toEqual([]);
});
