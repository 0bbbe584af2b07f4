import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("the documented packages are those in package.json", () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read("package.json"));
  const packages = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const [used = ""] = read("docs/dependencies.md").split("## Tried and rejected");
  const rows = used.split("\n").filter((line) => line.startsWith("| `"));
  const named = rows.flatMap((row) => {
    const [, name, purpose] = row.split("|");
    const others = /likewise (.*)/.exec(purpose ?? "")?.[1] ?? "";
    return [...`${name} ${others}`.matchAll(/`([^`]+)`/g)].map(([, found]) => found);
  });
  expect(named.toSorted()).toEqual(packages.toSorted());
});
