// `platform serve`. Flags override variables, which override defaults.

import { loadConfig } from "../../../config/config.ts";
import { mistypedVariables } from "../../../config/mistyped.ts";
import type { Invocation } from "../../command.ts";
import { copyInChild, walkInChild } from "../../files/child.ts";
import { actAsOwnerOf } from "../../files/data-owner.ts";
import { startReaderChild } from "../../files/reader-child.ts";
import { givenFlags, namingFlags } from "../../server-flags.ts";
import { sourceVersion } from "../../version.ts";

export async function runServer({ io, options }: Invocation): Promise<void> {
  const flags = givenFlags(options);
  await namingFlags(flags, async () => {
    const config = loadConfig({ ...io.env, ...flags.values }, sourceVersion());
    await actAsOwnerOf(config.databaseFile, "for good");
    const { serve } = await import("../../../serve.ts");
    const serving = await serve(config, {
      copyDatabase: copyInChild,
      walkTrail: walkInChild,
      startReader: startReaderChild,
      warnings: mistypedVariables(io.env),
    });
    if (io.interactive) {
      io.note(
        `\nThe server listens at ${serving.url}.\n${serving.hasConsole ? consoleLine(serving.url) : ""}` +
          "In another terminal:\n" +
          `  platformctl login --server ${serving.url}\n` +
          `  platformctl tokens create --db ${config.databaseFile}\n` +
          `  platformctl agents list --db ${config.databaseFile}\n\n`,
      );
    }
    await serving.ended;
  });
}

function consoleLine(url: string): string {
  return `In a browser, the console:\n  ${url}/\n`;
}
