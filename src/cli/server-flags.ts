// The flags of `serve` and `config`: each stands for a variable, and beats it.

import { ConfigError } from "../config/config-error.ts";
import type { OptionSpec } from "./command.ts";

interface ServerFlag extends OptionSpec {
  /** Without `PLATFORM_`. */
  variable: string;
}

export const serverFlags: ServerFlag[] = [
  flag("HOST", "--host <address>", "address to listen on (127.0.0.1; PLATFORM_HOST)"),
  flag("PORT", "--port <port>", "port, 0 for a free one (8080; PLATFORM_PORT)"),
  file("DATA_DIR", "--data-dir <folder>", "where data lives (./data; PLATFORM_DATA_DIR)"),
  file("TLS_CERT_FILE", "--tls-cert <file>", "serve HTTPS with this certificate (PEM)"),
  file("TLS_KEY_FILE", "--tls-key <file>", "and its private key (PEM)"),
  flag("PUBLIC_URL", "--public-url <url>", "where browsers find the server"),
  flag("ALLOWED_HOSTS", "--allowed-hosts <names>", "names it answers to, with commas between"),
  flag("TRUST_PROXY", "--trust-proxy <addresses>", "whose X-Forwarded-* headers count"),
  {
    ...flag("LOG_LEVEL", "--log-level <level>", "debug, info, warn, error, silent"),
    completes: ["debug", "info", "warn", "error", "silent"],
  },
  {
    ...flag("LOG_FORMAT", "--log-format <format>", "json, or pretty (the default on a terminal)"),
    completes: ["json", "pretty"],
  },
];

export interface GivenFlags {
  /** By the names of their variables. */
  values: Record<string, string>;
  /** What a person has typed for a variable: `--port`. */
  flagOf(variable: string): string | null;
}

/** The flags among the options of a command. */
export function givenFlags(options: Record<string, unknown>): GivenFlags {
  const given = serverFlags.filter(({ flags }) => options[optionName(flags)] !== undefined);
  return {
    values: Object.fromEntries(
      given.map(({ variable, flags }) => [variable, String(options[optionName(flags)])]),
    ),
    flagOf(name) {
      const found = given.find(({ variable }) => variable === name);
      return found ? longName(found.flags) : null;
    },
  };
}

/** A bad value that came by a flag is told by that flag; so is what must go with a flag. */
export async function namingFlags<T>(flags: GivenFlags, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { variable, partner } = error;
    const given = flags.flagOf(variable);
    const partnerFlag = partner === undefined ? null : flags.flagOf(partner);
    if (given !== null) throw error.saidBy(given);
    if (partnerFlag !== null) throw error.saidBy(flagFor(variable), partnerFlag);
    throw error;
  }
}

function flag(variable: string, flags: string, summary: string): ServerFlag {
  return { variable, flags, summary };
}

function file(variable: string, flags: string, summary: string): ServerFlag {
  return { ...flag(variable, flags, summary), completes: "file" };
}

/** Whether or not it was given; a setting without a flag keeps its own name. */
function flagFor(name: string): string {
  const found = serverFlags.find(({ variable }) => variable === name);
  return found ? longName(found.flags) : `PLATFORM_${name}`;
}

function longName(flags: string): string {
  return flags.split(" ", 1)[0] ?? flags;
}

/** As the parser names it: `--data-dir` is `dataDir`. */
function optionName(flags: string): string {
  return longName(flags)
    .slice(2)
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
