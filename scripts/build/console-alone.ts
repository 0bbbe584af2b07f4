// npm run build:console

import { Command } from "commander";
import { isStale } from "./console-sources.ts";
import { projectFolder } from "./project.ts";

const { ifStale } = new Command("build:console")
  .description("Builds the console into dist/console.")
  .option("--if-stale", "do nothing if it is newer than its sources")
  .parse()
  .opts<{ ifStale?: true }>();

if (!ifStale || isStale(projectFolder)) {
  console.log("Building the console …");
  const { buildConsole } = await import("./console.ts");
  await buildConsole(projectFolder, "best");
}
