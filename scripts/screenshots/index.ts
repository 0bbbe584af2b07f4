// npm run screenshots: takes screenshots of every console page, in both themes and at two widths.
// `--docs` replaces the screenshots in the documentation.

import { mkdirSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Argument, Command } from "commander";
import { projectFolder } from "../build/project.ts";
import { takeAll, takeForDocuments } from "./camera.ts";
import { withFleet } from "./with-fleet.ts";

interface Options {
  docs?: true;
  only?: string;
}

await new Command("screenshots")
  .description("Takes screenshots of the console's pages.")
  .addArgument(new Argument("[folder]", "the target folder (default: a temporary folder)"))
  .option("--docs", "replace the documentation's screenshots in docs/screenshots")
  .option("--only <names>", "only these pages, separated by commas")
  .action(main)
  .parseAsync();

async function main(given: string | undefined, { docs, only }: Options): Promise<void> {
  const folder = docs
    ? join(projectFolder, "docs/screenshots")
    : (given ?? mkdtempSync(join(tmpdir(), "platform-screenshots-")));
  mkdirSync(folder, { recursive: true });
  await withFleet(async (subject) => {
    if (!docs) {
      for (const line of await takeAll(subject, folder, only)) console.error(`missed ${line}`);
      console.log(folder);
      return;
    }
    for (const name of await takeForDocuments(subject, folder, only)) {
      console.log(`${name}: ${Math.round(statSync(join(folder, name)).size / 1024)} KiB`);
    }
  });
}
