// Callers log ids, codes and durations, but never bodies, tokens, passwords or cookies.

import { Writable } from "node:stream";
import { pino } from "pino";
import type { Log } from "../lib/log.ts";
import type { Config } from "./config.ts";
import { type LogWriter, standardErrorWriter } from "./log-writer.ts";

export interface ServerLog extends Log {
  writer: LogWriter;
}

export async function createLog(
  config: Pick<Config, "logLevel" | "logFormat">,
  writer: LogWriter = standardErrorWriter(),
): Promise<ServerLog> {
  const format = config.logFormat ?? (process.stderr.isTTY ? "pretty" : "json");
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino(options, format === "pretty" ? await prettyTo(writer) : writer);
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    writer,
  };
}

/** Formats lines in this thread, because a packaged program cannot start pino's worker threads. */
async function prettyTo(writer: LogWriter) {
  const { default: pretty } = await import("pino-pretty");
  const destination = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      writer.write(String(text));
      done();
    },
  });
  return pretty({ destination, colorize: process.stderr.isTTY });
}
