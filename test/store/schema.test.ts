// The file makes changes of the schema visible in a diff.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { schemaFile, schemaText } from "../../scripts/write-schema.ts";

test("test/schema.sql equals the schema that the migrations create", async () => {
  expect(readFileSync(schemaFile, "utf8"), "run `npm run generate`").toBe(await schemaText());
});
