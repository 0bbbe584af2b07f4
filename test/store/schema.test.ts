// test/schema.sql is the schema that the migrations create. The file shows the schema and its
// changes.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { schemaFile, schemaText } from "../../scripts/write-schema.ts";

test("the file equals the schema that the migrations create", async () => {
  expect(readFileSync(schemaFile, "utf8"), "run `npm run generate`").toBe(await schemaText());
});
