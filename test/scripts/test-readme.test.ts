import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "test/README.md"), "utf8");
const rows = (readme.split("## Promises of the README")[1] ?? "")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));

test.each(rows)("tests hold: %s", (_, tests = "") => {
  const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
  expect(files).not.toEqual([]);
  expect(files.filter((file) => !existsSync(join(root, "test", file)))).toEqual([]);
});

test("every guarantee is listed", () => {
  const promises = readFileSync(join(root, "README.md"), "utf8");
  const section = promises.split("## What it guarantees")[1]?.split("\n## ")[0] ?? "";
  const guarantees = section
    .split(/\n- /)
    .slice(1)
    .map((text) => `${text.replace(/\s+/g, " ").trim()} `.split(/(?<=\.) /)[0]);
  expect(guarantees.length).toBeGreaterThan(3);
  const named = rows.map(([promise]) => promise);
  expect(guarantees.filter((guarantee) => !named.includes(guarantee))).toEqual([]);
});
