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

// The tables come first, because the other files are made from them.
const { tableFiles } = await import("./write-tables.ts");
for (const [file, text] of Object.entries(await tableFiles())) write(join(root, file), text);
const [openApi, wireRoutes, plainRoutes, csvColumns, nouns, schema] = await Promise.all([
  import("./write-openapi.ts"),
  import("./write-wire-routes.ts"),
  import("./write-plain-routes.ts"),
  import("./write-csv-columns.ts"),
  import("./write-nouns.ts"),
  import("./write-schema.ts"),
]);
write(openApi.openApiFile, openApi.openApiText());
write(wireRoutes.wireRoutesFile, wireRoutes.wireRoutesText());
write(plainRoutes.plainRoutesFile, plainRoutes.plainRoutesText());
write(csvColumns.csvColumnsFile, csvColumns.csvColumnsText());
write(nouns.nounsFile, nouns.nounsText());
write(schema.schemaFile, await schema.schemaText());
