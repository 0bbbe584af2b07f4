// The log of `platform agent run`. It can contain text from services and servers, so control
// characters are escaped and tokens are redacted.

import type { AgentEvent } from "../../../agent/index.ts";
import { readValues } from "../../../config/config.ts";
import { createLog } from "../../../config/log.ts";
import { redactText } from "../../../domain/secrets/redaction.ts";
import type { Log } from "../../../lib/log.ts";
import { printableLine } from "../../output/printable.ts";
import { givenFlags, namingFlags } from "../../server-flags.ts";
import type { Io } from "../../terminal/io.ts";

/** Flags override variables, as for the log of `serve`. Throws ConfigError. */
export async function openAgentLog(io: Io, options: Record<string, unknown>): Promise<Log> {
  const flags = givenFlags(options);
  const own = Object.entries(io.env).filter(([name]) => name.startsWith("LOG_"));
  return namingFlags(flags, () => {
    const values = readValues({ ...Object.fromEntries(own), ...flags.values });
    return createLog({ logLevel: values.LOG_LEVEL, logFormat: values.LOG_FORMAT });
  });
}

export function logEvent(log: Log, event: AgentEvent, advice: string | null): void {
  const { at: _at, level, message, ...facts } = event;
  const text = advice === null ? message : `${message} ${advice}`;
  log[level](clean(facts), cleanText(text));
}

function clean(facts: object): object {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, cleanValue(value)]),
  );
}

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  return typeof value === "object" && value !== null ? clean(value) : value;
}

function cleanText(text: string): string {
  return printableLine(redactText(text));
}
