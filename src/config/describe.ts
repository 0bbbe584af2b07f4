import { pathToFileURL } from "node:url";
import { parsePostgresUrl } from "../lib/postgres-url.ts";
import { builtIn } from "./built-in.ts";
import { type DatabaseSetting, loadConfig, readValues } from "./config.ts";
import { readTlsPair } from "./tls-files.ts";
import { type Variable, type VariableName, variableNames, variables } from "./variables.ts";

export interface SettingView {
  /** The name with `PLATFORM_`. */
  variable: string;
  /** Null for an unset setting. The value of a secret is `set` or `not set`. */
  value: string | number | null;
  source: "flag" | "variable" | "default";
}

/** Also checks the certificate. Throws ConfigError. */
export async function describeConfig(
  env: Record<string, string>,
  flags: Record<string, string>,
  sourceVersion: string,
): Promise<SettingView[]> {
  const given = { ...env, ...flags };
  const config = loadConfig(given, sourceVersion);
  if (config.tls) await readTlsPair(config.tls);
  const values = readValues(given);
  const meant: Partial<Record<VariableName, string | number | null>> = {
    DATA_DIR: config.dataDir,
    DATABASE_URL: urlOf(config.database),
    AUDIT_KEY_FILE: config.auditKeyFile,
    SESSION_SECRET_FILE: config.sessionSecretFile,
    TLS_CERT_FILE: config.tls?.certFile ?? null,
    TLS_KEY_FILE: config.tls?.keyFile ?? null,
    MAX_PENDING_BODY_BYTES: config.maxPendingBodyBytes,
    DRAIN_SECONDS: config.drainSeconds,
    VERSION: config.version,
  };
  return variableNames.map((name) => {
    const { secret }: Variable<unknown> = variables[name];
    const value = meant[name] === undefined ? shown(values[name]) : meant[name];
    return {
      variable: `PLATFORM_${name}`,
      value: secret ? (value === null ? "not set" : "set") : value,
      source: sourceOf(name, env, flags),
    };
  });
}

/** Returns the URL without its password. */
function urlOf(database: DatabaseSetting): string {
  return database.kind === "file"
    ? pathToFileURL(database.file).href
    : parsePostgresUrl(database.url).withoutPassword;
}

function sourceOf(
  name: string,
  env: Record<string, string>,
  flags: Record<string, string>,
): SettingView["source"] {
  if (name in flags) return "flag";
  return name in env && !(name in builtIn) ? "variable" : "default";
}

function shown(value: string | number | boolean | string[] | undefined): string | number | null {
  if (value === undefined) return null;
  return typeof value === "number" ? value : String(value);
}
