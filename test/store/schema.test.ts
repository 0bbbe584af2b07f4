// test/schema.sql is the schema that the migrations make: the file to read, and to see changes in.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { schemaFile, schemaText } from "../../scripts/write-schema.ts";

test("the file is what the migrations make", async () => {
  expect(readFileSync(schemaFile, "utf8"), "run `npm run generate`").toBe(await schemaText());
});
