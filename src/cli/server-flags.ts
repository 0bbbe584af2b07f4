// The flags of `serve` and `config`. Each flag sets a variable, and overrides the environment.

import { ConfigError } from "../config/config-error.ts";
import type { Completes, OptionSpec } from "./command.ts";
import { fieldNamed } from "./nouns/words.ts";

interface ServerFlag extends OptionSpec {
  /** The variable's name without `PLATFORM_`. */
  variable: string;
}

const logLevels = ["debug", "info", "warn", "error", "silent"];

export const serverFlags: ServerFlag[] = [
  flag("HOST", "--host <address>", "address to listen on (127.0.0.1; PLATFORM_HOST)"),
  flag("PORT", "--port <port>", "port, 0 for a free one (8080; PLATFORM_PORT)"),
  flag("DATA_DIR", "--data-dir <folder>", "data folder (./data; PLATFORM_DATA_DIR)", "file"),
  flag("TLS_CERT_FILE", "--tls-cert <file>", "serve HTTPS with this certificate (PEM)", "file"),
  flag("TLS_KEY_FILE", "--tls-key <file>", "the certificate's private key (PEM)", "file"),
  flag("PUBLIC_URL", "--public-url <url>", "URL of the server in browsers"),
  flag("ALLOWED_HOSTS", "--allowed-hosts <names>", "accepted Host names, separated by commas"),
  flag(
    "TRUST_PROXY",
    "--trust-proxy <addresses>",
    "proxies whose X-Forwarded-* headers are trusted",
  ),
  flag("LOG_LEVEL", "--log-level <level>", logLevels.join(", "), logLevels),
  flag("LOG_FORMAT", "--log-format <format>", "json, or pretty (the default on a terminal)", [
    "json",
    "pretty",
  ]),
];

interface GivenFlags {
  /** The values by variable name. */
  values: Record<string, string>;
  /** Returns the flag that was given for a variable: `--port`. */
  flagOf(variable: string): string | null;
}

export function givenFlags(options: Record<string, unknown>): GivenFlags {
  const givenFor = ({ flags }: ServerFlag) => options[fieldNamed(longName(flags))];
  const given = serverFlags.filter((flag) => givenFor(flag) !== undefined);
  return {
    values: Object.fromEntries(given.map((flag) => [flag.variable, String(givenFor(flag))])),
    flagOf(name) {
      const found = given.find(({ variable }) => variable === name);
      return found ? longName(found.flags) : null;
    },
  };
}

/** Names flags instead of variables in the errors of `work`. */
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

function flag(variable: string, flags: string, summary: string, completes?: Completes): ServerFlag {
  return { variable, flags, summary, ...(completes && { completes }) };
}

function flagFor(name: string): string {
  const found = serverFlags.find(({ variable }) => variable === name);
  return found ? longName(found.flags) : `PLATFORM_${name}`;
}

function longName(flags: string): string {
  return flags.split(" ", 1)[0] ?? flags;
}
