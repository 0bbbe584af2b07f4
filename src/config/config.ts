import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { passwordProblem } from "../lib/password-rules.ts";
import { ConfigError } from "./config-error.ts";
import { NotReadable } from "./readers.ts";
import type { TlsFiles } from "./tls-files.ts";
import { type Values, type Variable, variableNames, variables } from "./variables.ts";

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

type CamelCased<T> = { [Name in keyof T & string as CamelCase<Name>]: T[Name] };

/** The settings by their names in camel case, with a few changes. */
export type Config = ReturnType<typeof loadConfig>;

/** The names in `env` have no `PLATFORM_`. Throws ConfigError. */
export function loadConfig(env: Record<string, string>, sourceVersion: string) {
  const values = readValues(env);
  requireOrder(values);
  requireGoodPassword(values);
  const { DATABASE_URL, CAPSULE_BUS_ENABLED, CAPSULE_BUS_INGEST_PER_MIN, ...rest } = values;
  const { TLS_CERT_FILE, TLS_KEY_FILE, ...others } = rest;
  const dataDir = resolve(values.DATA_DIR);
  return {
    ...inCamelCase(others),
    dataDir,
    databaseFile: databaseFileOf(DATABASE_URL, dataDir),
    busEnabled: CAPSULE_BUS_ENABLED,
    /** The limit for one agent's events. */
    busIngestPerMinute: CAPSULE_BUS_INGEST_PER_MIN,
    /** If this is null, the limit is 20,000 or the limit of open files, whichever is lower. */
    maxConnections: values.MAX_CONNECTIONS ?? null,
    /** If this is null, the limit is nine tenths of `maxConnections`. */
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS ?? null,
    /** The limit for all requests together. */
    maxPendingBodyBytes: pendingBodyBytesOf(values),
    /** Hosts as in URLs: in lower case, and IPv6 addresses in brackets. */
    allowedHosts: values.ALLOWED_HOSTS ?? [],
    /** This is undefined for plain HTTP. */
    tls: tlsOf(TLS_CERT_FILE, TLS_KEY_FILE),
    version: values.VERSION ?? `${sourceVersion}-dev`,
  };
}

function inCamelCase<T extends object>(values: T): CamelCased<T> {
  const camelCase = (name: string) =>
    name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const entries = Object.entries(values).map(([name, value]) => [camelCase(name), value]);
  return Object.fromEntries(entries);
}

/** Reads each setting separately. Throws ConfigError. */
export function readValues(env: Record<string, string>): Values {
  return Object.fromEntries(
    variableNames.map((name) => {
      const { read, byDefault, example }: Variable<unknown> = variables[name];
      const text = env[name] ?? byDefault;
      try {
        return [name, text === undefined ? undefined : read(text)];
      } catch (error) {
        if (!(error instanceof NotReadable)) throw error;
        throw new ConfigError(name, error.message, example);
      }
    }),
  ) as unknown as Values;
}

function requireOrder(values: Values): void {
  if (values.AGENT_SUPPRESS_AFTER_SECONDS < values.AGENT_OFFLINE_THRESHOLD_SECONDS) {
    throw new ConfigError(
      "AGENT_SUPPRESS_AFTER_SECONDS",
      "must not be below PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS",
      "900 and 90",
    );
  }
  if (values.AGENT_OFFLINE_THRESHOLD_SECONDS <= values.AGENT_HEARTBEAT_INTERVAL_SECONDS) {
    throw new ConfigError(
      "AGENT_OFFLINE_THRESHOLD_SECONDS",
      "must be above PLATFORM_AGENT_HEARTBEAT_INTERVAL_SECONDS",
      "90 and 30",
    );
  }
}

/** There must be room for four results of the maximum size. */
function pendingBodyBytesOf({
  MAX_PENDING_BODY_BYTES: given,
  COMMAND_RESULT_MAX_BYTES: result,
}: Values): number {
  if (given === undefined) return Math.max(67_108_864, 4 * result);
  if (given >= 4 * result) return given;
  throw new ConfigError(
    "MAX_PENDING_BODY_BYTES",
    "must be at least four times PLATFORM_COMMAND_RESULT_MAX_BYTES",
    "67108864 and 1000000",
  );
}

function requireGoodPassword({ ADMIN_USERNAME: username, ADMIN_PASSWORD: password }: Values): void {
  const problem = password === undefined ? null : passwordProblem(password, username);
  if (problem === null) return;
  throw new ConfigError("ADMIN_PASSWORD", problem, variables.ADMIN_PASSWORD.example);
}

function databaseFileOf(url: string | undefined, dataDir: string): string {
  if (url === undefined) return join(dataDir, "platform.db");
  const path = url.startsWith("file:") ? pathOfFileUrl(url) : url;
  if (path === "" || /^(\/\/|:|[a-z][a-z0-9+.-]*:)/i.test(path)) {
    throw badDatabase("must be a SQLite file");
  }
  return isAbsolute(path) ? path : resolve(path);
}

/** Returns a relative path for `file:a.db`, which URLs cannot express. */
function pathOfFileUrl(url: string): string {
  if (/[?#]/.test(url)) throw badDatabase("must not contain ? or #");
  const path = url.slice("file:".length);
  try {
    return path.startsWith("/") ? fileURLToPath(url) : decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) throw badDatabase("is a URL, so write % as %25");
    throw badDatabase("must be the URL of a file on this machine");
  }
}

function badDatabase(problem: string): ConfigError {
  return new ConfigError("DATABASE_URL", problem, variables.DATABASE_URL.example);
}

function tlsOf(cert: string | undefined, key: string | undefined): TlsFiles | undefined {
  if (cert !== undefined && key !== undefined) {
    return { certFile: resolve(cert), keyFile: resolve(key) };
  }
  if (cert === undefined && key === undefined) return undefined;
  const [given, missing] =
    cert === undefined
      ? (["TLS_KEY_FILE", "TLS_CERT_FILE"] as const)
      : (["TLS_CERT_FILE", "TLS_KEY_FILE"] as const);
  throw new ConfigError(
    missing,
    `must be set because PLATFORM_${given} is set`,
    variables[missing].example,
    given,
  );
}
