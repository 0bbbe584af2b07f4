import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { passwordProblem } from "../lib/password-rules.ts";
import { ConfigError } from "./config-error.ts";
import { NotReadable } from "./readers.ts";
import type { TlsFiles } from "./tls-files.ts";
import { type Values, type Variable, variableNames, variables } from "./variables.ts";

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  databaseFile: string;
  adminUsername: string;
  adminPassword: string | undefined;
  sessionSecret: string | undefined;
  sessionTtlSeconds: number;
  agentOfflineThresholdSeconds: number;
  agentSuppressAfterSeconds: number;
  serviceStaleThresholdSeconds: number;
  agentMaxServices: number;
  agentHeartbeatIntervalSeconds: number;
  maintenanceIntervalSeconds: number;
  commandTtlSeconds: number;
  commandResultMaxBytes: number;
  registrationTokenTtlSeconds: number;
  auditRetentionDays: number;
  busEventRetentionDays: number;
  commandRetentionDays: number;
  silentRetentionDays: number;
  busEnabled: boolean;
  /** The limit for one agent's events. */
  busIngestPerMinute: number;
  /** The maximum number of services, and of agents, in the Prometheus metrics. */
  metricsMaxSeries: number;
  /** If this is null, the limit is 20,000 or the limit of open files, whichever is lower. */
  maxConnections: number | null;
  /** If this is null, the limit is nine tenths of `maxConnections`. */
  maxConnectionsPerAddress: number | null;
  /** The limit per credential; 0 means no limit. */
  maxRequestsPerSecond: number;
  /** The limit for all requests together. */
  maxPendingBodyBytes: number;
  /** The limit for all clients together. */
  maxPendingOutputBytes: number;
  stalledOutputSeconds: number;
  workspaceName: string;
  publicUrl: string | undefined;
  /** Hosts as in URLs: in lower case, and IPv6 addresses in brackets. */
  allowedHosts: string[];
  /** True trusts all proxies, and a list trusts ranges such as `address/bits`. */
  trustProxy: boolean | string[];
  /** This is undefined for plain HTTP. */
  tls: TlsFiles | undefined;
  logLevel: string;
  logFormat: "json" | "pretty" | undefined;
  version: string;
  commit: string | undefined;
  buildTime: string | undefined;
}

/** The names in `env` have no `PLATFORM_`. Throws ConfigError. */
export function loadConfig(env: Record<string, string>, sourceVersion: string): Config {
  const values = readValues(env);
  const dataDir = resolve(values.DATA_DIR);
  requireOrder(values);
  requireGoodPassword(values);
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir,
    databaseFile: databaseFileOf(values.DATABASE_URL, dataDir),
    adminUsername: values.ADMIN_USERNAME,
    adminPassword: values.ADMIN_PASSWORD,
    sessionSecret: values.SESSION_SECRET,
    sessionTtlSeconds: values.SESSION_TTL_SECONDS,
    agentOfflineThresholdSeconds: values.AGENT_OFFLINE_THRESHOLD_SECONDS,
    agentSuppressAfterSeconds: values.AGENT_SUPPRESS_AFTER_SECONDS,
    serviceStaleThresholdSeconds: values.SERVICE_STALE_THRESHOLD_SECONDS,
    agentMaxServices: values.AGENT_MAX_SERVICES,
    agentHeartbeatIntervalSeconds: values.AGENT_HEARTBEAT_INTERVAL_SECONDS,
    maintenanceIntervalSeconds: values.MAINTENANCE_INTERVAL_SECONDS,
    commandTtlSeconds: values.COMMAND_TTL_SECONDS,
    commandResultMaxBytes: values.COMMAND_RESULT_MAX_BYTES,
    registrationTokenTtlSeconds: values.REGISTRATION_TOKEN_TTL_SECONDS,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    busEventRetentionDays: values.BUS_EVENT_RETENTION_DAYS,
    commandRetentionDays: values.COMMAND_RETENTION_DAYS,
    silentRetentionDays: values.SILENT_RETENTION_DAYS,
    busEnabled: values.CAPSULE_BUS_ENABLED,
    busIngestPerMinute: values.CAPSULE_BUS_INGEST_PER_MIN,
    metricsMaxSeries: values.METRICS_MAX_SERIES,
    maxConnections: values.MAX_CONNECTIONS ?? null,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS ?? null,
    maxRequestsPerSecond: values.MAX_REQUESTS_PER_SECOND,
    maxPendingBodyBytes: pendingBodyBytesOf(values),
    maxPendingOutputBytes: values.MAX_PENDING_OUTPUT_BYTES,
    stalledOutputSeconds: values.STALLED_OUTPUT_SECONDS,
    workspaceName: values.WORKSPACE_NAME,
    publicUrl: values.PUBLIC_URL,
    allowedHosts: values.ALLOWED_HOSTS ?? [],
    trustProxy: values.TRUST_PROXY,
    tls: tlsOf(values),
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    version: values.VERSION ?? `${sourceVersion}-dev`,
    commit: values.COMMIT,
    buildTime: values.BUILD_TIME,
  };
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

function tlsOf({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }: Values): TlsFiles | undefined {
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
