import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { wireRoutesFile, wireRoutesText } from "../../../scripts/write-wire-routes.ts";

test("src/api/contract/wire-routes.ts is up to date (npm run generate)", () => {
  expect(readFileSync(wireRoutesFile, "utf8")).toBe(wireRoutesText());
});
