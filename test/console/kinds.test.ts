// Every page of the console belongs to one kind, and one test of `npm test` runs axe-core on each
// kind.

import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pages } from "../../src/console/shell/pages.ts";
import { allKinds, kinds } from "../helpers/browser/kinds.ts";

test("every page is of exactly one kind", () => {
  const paths = ["/login", ...pages.map(({ path }) => path)];
  expect(Object.values(kinds).flat().sort()).toEqual(paths.sort());
});

test("exactly one test of `npm test` shows each kind", () => {
  const folder = import.meta.dirname;
  const shown = globSync("*.test.ts", { cwd: folder })
    .filter((file) => !file.endsWith(".long.test.ts"))
    .flatMap((file) => [
      ...readFileSync(`${folder}/${file}`, "utf8").matchAll(/\bexpectAccessible\("([^"]+)"\)/g),
    ])
    .map(([, kind]) => kind);
  expect(shown.sort()).toEqual(allKinds.toSorted());
});
