// `platform serve`. Flags override variables, which override defaults.

import { setFlagsFromString } from "node:v8";
import { loadConfig } from "../../../config/config.ts";
import { mistypedVariables } from "../../../config/mistyped.ts";
import { type Place, placeOf } from "../../../domain/storage/place.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { holdHangUps } from "../../../lib/until-signal.ts";
import type { Invocation } from "../../command.ts";
import { inChild } from "../../files/child-processes.ts";
import { startReaderChild } from "../../files/reader-child.ts";
import { refuseRoot } from "../../files/refuse-root.ts";
import { givenFlags, namingFlags } from "../../server-flags.ts";
import { sourceVersion } from "../../version.ts";

export async function runServer({ io, options }: Invocation): Promise<void> {
  using hangUps = holdHangUps();
  const flags = givenFlags(options);
  await namingFlags(flags, async () => {
    const config = loadConfig({ ...io.env, ...flags.values }, sourceVersion());
    const place = placeOf(config);
    refuseRoot(place);
    const { serve } = await import("../../../serve.ts");
    const serving = await serve(place, config, {
      ...inChild,
      startReader: startReaderChild,
      warnings: mistypedVariables(io.env),
      hangUps,
    });
    // Most garbage of a server is old, because polls are held. Set only now, because V8 rejects
    // code caches that were made with another value. (docs/decisions/0015-limits-on-clients.md)
    setFlagsFromString("--heap-growing-percent=30");
    if (io.interactive) {
      io.note(
        `\nThe server listens at ${serving.url}.\n${serving.hasConsole ? consoleLine(serving.url) : ""}` +
          "In another terminal:\n" +
          `  platformctl login --server ${serving.url}\n${onDatabase(place)}\n`,
      );
    }
    await serving.ended;
  });
}

/** Commands that need no sign-in. */
function onDatabase(place: Place): string {
  if (place.kind === "postgresql") {
    // As a variable, because other users of this host can see the arguments of a command.
    return (
      "Or without signing in, with the server's environment variables:\n" +
      '  PLATFORM_DB="$PLATFORM_DATABASE_URL" platformctl agents list\n'
    );
  }
  return (
    `  platformctl tokens create --db ${shellWord(place.file)}\n` +
    `  platformctl agents list --db ${shellWord(place.file)}\n`
  );
}

function consoleLine(url: string): string {
  return `In a browser, the console:\n  ${url}/\n`;
}
