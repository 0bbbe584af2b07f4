// `platform serve`: flags over variables over defaults, then run until a signal.

import { loadConfig } from "../../config/config.ts";
import { copyInChild } from "../child.ts";
import type { Invocation } from "../command.ts";
import { sourceVersion } from "../version.ts";

interface Options {
  host?: string;
  port?: string;
  dataDir?: string;
  logLevel?: string;
  logFormat?: string;
}

export async function runServer({ io, options }: Invocation): Promise<void> {
  const { host, port, dataDir, logLevel, logFormat } = options as Options;
  const flags = {
    HOST: host,
    PORT: port,
    DATA_DIR: dataDir,
    LOG_LEVEL: logLevel,
    LOG_FORMAT: logFormat,
  };
  const given = Object.entries(flags).filter((entry): entry is [string, string] => !!entry[1]);
  const config = loadConfig({ ...io.env, ...Object.fromEntries(given) }, sourceVersion());
  const { serve } = await import("../../serve.ts");
  const serving = await serve(config, copyInChild);
  if (io.interactive) {
    io.note(
      `\nThe server answers at ${serving.url}. In another terminal:\n` +
        `  platformctl tokens create --db ${config.databaseFile}\n` +
        `  platformctl agents list --db ${config.databaseFile}\n\n`,
    );
  }
  await serving.ended;
}
