// Writes openapi.json, the wire format, from the table of routes. With --check it only tells
// whether the file is up to date.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildOpenApi } from "../src/api/contract/openapi.ts";

export const openApiFile = join(import.meta.dirname, "../openapi.json");

/** What the file holds when it is up to date. */
export function openApiText(): string {
  return `${JSON.stringify(buildOpenApi(), null, 2)}\n`;
}

if (import.meta.main) {
  const text = openApiText();
  if (!process.argv.includes("--check")) {
    writeFileSync(openApiFile, text);
  } else if (!existsSync(openApiFile) || readFileSync(openApiFile, "utf8") !== text) {
    console.error("openapi.json is not what src/api says: run `npm run generate`.");
    process.exitCode = 1;
  }
}
