// npm run generate: writes every generated file. With --check it only reports outdated files.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "..");
const isCheck = process.argv.includes("--check");

function write(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  if (isCheck) {
    console.error(`${relative(root, file)} does not match its sources: run \`npm run generate\`.`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
  }
}

const { factsFile, factsText } = await import("./write-route-facts.ts");
write(factsFile, factsText());
const { openApiFile, openApiText } = await import("./write-openapi.ts");
write(openApiFile, openApiText());
const { schemaFile, schemaText } = await import("./write-schema.ts");
write(schemaFile, await schemaText());
const { referencePages } = await import("./write-reference.ts");
for (const [file, text] of await referencePages()) write(file, text);
