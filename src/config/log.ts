// The log: JSON lines on standard error, or readable lines on a terminal. Never bodies, tokens,
// passwords or cookies: callers hand in ids, codes and durations.

import { pino } from "pino";
import pretty from "pino-pretty";
import type { Log } from "../lib/log.ts";
import type { Config } from "./config.ts";

export function createLog(config: Pick<Config, "logLevel" | "logFormat">): Log {
  const format = config.logFormat ?? (process.stderr.isTTY ? "pretty" : "json");
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  // As a stream in this very thread: a packaged program cannot start pino's worker threads.
  if (format === "pretty") {
    return pino(options, pretty({ destination: 2, sync: true, colorize: process.stderr.isTTY }));
  }
  return pino(options, pino.destination({ dest: 2, sync: true }));
}
