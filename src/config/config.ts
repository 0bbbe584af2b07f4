import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { passwordProblem } from "../lib/password-rules.ts";
import {
  BadPostgresUrl,
  isPostgresUrl,
  parsePostgresUrl,
  postgresUrlForm,
  resemblesUrl,
} from "../lib/postgres-url.ts";
import { ConfigError } from "./config-error.ts";
import { NotReadable } from "./readers.ts";
import type { TlsFiles } from "./tls-files.ts";
import { type Values, type Variable, variableNames, variables } from "./variables.ts";

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

type CamelCased<T> = { [Name in keyof T & string as CamelCase<Name>]: T[Name] };

export type DatabaseSetting =
  | { kind: "file"; file: string }
  /** The URL can contain a password, so it must not be shown. */
  | { kind: "postgresql"; url: string };

/** The settings under their names in camel case. Some are renamed or converted. */
export type Config = ReturnType<typeof loadConfig>;

/**
 * The names in `env` have no `PLATFORM_`. `given` replaces the database that the variables name.
 * Throws ConfigError.
 */
export function loadConfig(
  env: Record<string, string>,
  sourceVersion: string,
  given?: DatabaseSetting,
) {
  const values = readValues(env);
  requireOrder(values);
  requireGoodPassword(values);
  const { DATABASE_URL, CAPSULE_BUS_ENABLED, CAPSULE_BUS_INGEST_PER_MIN, ...rest } = values;
  const { TLS_CERT_FILE, TLS_KEY_FILE, AUDIT_KEY_FILE, SESSION_SECRET_FILE, ...others } = rest;
  const dataDir = resolve(values.DATA_DIR);
  const database = given ?? databaseOf(DATABASE_URL, dataDir);
  requireKeyFiles(database, values);
  return {
    ...inCamelCase(others),
    dataDir,
    database,
    /** Null means the file beside an SQLite database. */
    auditKeyFile: AUDIT_KEY_FILE === undefined ? null : resolve(AUDIT_KEY_FILE),
    /** Null means the file beside an SQLite database, or that the secret itself is set. */
    sessionSecretFile: SESSION_SECRET_FILE === undefined ? null : resolve(SESSION_SECRET_FILE),
    busEnabled: CAPSULE_BUS_ENABLED,
    /** The limit for one agent's events. */
    busIngestPerMinute: CAPSULE_BUS_INGEST_PER_MIN,
    /** If this is null, the limit is 20,000, or less if the limit on open files requires it. */
    maxConnections: values.MAX_CONNECTIONS ?? null,
    /** If this is null, the limit is nine tenths of `maxConnections`. */
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS ?? null,
    /** The limit for all requests together. */
    maxPendingBodyBytes: pendingBodyBytesOf(values),
    /** How long the server stays reachable after it has reported that it is not ready. */
    drainSeconds: values.DRAIN_SECONDS ?? (database.kind === "postgresql" ? 3 : 0),
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

/** Reads only the settings that say where the database is. Throws ConfigError. */
export function databaseIn(env: Record<string, string>): DatabaseSetting {
  const { DATABASE_URL, DATA_DIR } = readOnly(env, ["DATA_DIR", "DATABASE_URL"]);
  return databaseOf(DATABASE_URL, resolve(DATA_DIR));
}

/** Reads only the settings that say where the server listens. Throws ConfigError. */
export function listenerIn(env: Record<string, string>): Pick<Config, "host" | "port" | "tls"> {
  const { HOST, PORT, TLS_CERT_FILE, TLS_KEY_FILE } = readOnly(env, [
    "HOST",
    "PORT",
    "TLS_CERT_FILE",
    "TLS_KEY_FILE",
  ]);
  return { host: HOST, port: PORT, tls: tlsOf(TLS_CERT_FILE, TLS_KEY_FILE) };
}

function readOnly<Name extends keyof Values>(
  env: Record<string, string>,
  names: readonly Name[],
): Pick<Values, Name> {
  const isNamed = (name: string) => names.some((each) => each === name);
  return readValues(Object.fromEntries(Object.entries(env).filter(([name]) => isNamed(name))));
}

function databaseOf(url: string | undefined, dataDir: string): DatabaseSetting {
  if (url === undefined) return { kind: "file", file: join(dataDir, "platform.db") };
  if (isPostgresUrl(url)) return { kind: "postgresql", url: requirePostgresUrl(url) };
  const isFileUrl = url.startsWith("file:");
  if (!isFileUrl && resemblesUrl(url)) {
    throw badDatabase(
      `looks like a URL, but ${postgresUrlForm}; write an unusual path as file:PATH`,
    );
  }
  const path = isFileUrl ? pathOfFileUrl(url) : url;
  if (path === "" || /^(\/\/|:|[a-z][a-z0-9+.-]*:)/i.test(path)) {
    throw badDatabase("must be an SQLite file or the URL of a PostgreSQL database");
  }
  return { kind: "file", file: resolve(path) };
}

function requirePostgresUrl(url: string): string {
  try {
    parsePostgresUrl(url);
    return url;
  } catch (error) {
    if (!(error instanceof BadPostgresUrl)) throw error;
    const example = "postgres://platform:password@db.example.com:5432/platform";
    throw new ConfigError("DATABASE_URL", error.message, example);
  }
}

/** Servers that share a database must share its keys, so no server may create its own. */
function requireKeyFiles(
  { kind }: DatabaseSetting,
  { AUDIT_KEY_FILE, SESSION_SECRET_FILE, SESSION_SECRET }: Values,
): void {
  if (SESSION_SECRET !== undefined && SESSION_SECRET_FILE !== undefined) {
    throw new ConfigError(
      "SESSION_SECRET_FILE",
      "must not be set together with PLATFORM_SESSION_SECRET",
      variables.SESSION_SECRET_FILE.example,
    );
  }
  if (kind === "file") return;
  const hasSecret = SESSION_SECRET !== undefined || SESSION_SECRET_FILE !== undefined;
  if (AUDIT_KEY_FILE !== undefined && hasSecret) return;
  const missing = AUDIT_KEY_FILE === undefined ? "AUDIT_KEY_FILE" : "SESSION_SECRET_FILE";
  throw new ConfigError(
    missing,
    "PostgreSQL needs PLATFORM_AUDIT_KEY_FILE and PLATFORM_SESSION_SECRET_FILE, two files that are the " +
      "same for every server of the database; create each once: (umask 077; openssl rand -base64 32 > FILE)",
    variables[missing].example,
  );
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
