// Gives the environment its meaning: every setting with its default, checked, in its unit.
// (`decisions.md` 10). A bad value is one line that names the variable, the problem and an example.

import { isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  databaseFile: string;
  adminUsername: string | undefined;
  adminPassword: string | undefined;
  sessionSecret: string | undefined;
  sessionTtlSeconds: number;
  agentOfflineThresholdSeconds: number;
  agentSuppressAfterSeconds: number;
  serviceStaleThresholdSeconds: number;
  agentHeartbeatIntervalSeconds: number;
  maintenanceIntervalSeconds: number;
  commandTtlSeconds: number;
  commandResultMaxBytes: number;
  registrationTokenTtlSeconds: number;
  auditRetentionDays: number;
  busEventRetentionDays: number;
  workspaceName: string;
  publicUrl: string | undefined;
  allowedHosts: string[];
  logLevel: string;
  logFormat: "json" | "pretty" | undefined;
  version: string;
  commit: string | undefined;
  buildTime: string | undefined;
}

const seconds = (fallback: number, min = 1) =>
  z.coerce.number().int().min(min).max(3_153_600_000).default(fallback);

/** 0: for ever. */
const days = (fallback: number) => z.coerce.number().int().min(0).max(36_500).default(fallback);

const httpUrl = z.url({ protocol: /^https?$/ });

/** Each variable with an example for the one who got it wrong. */
const variables = {
  HOST: [z.string().default("127.0.0.1"), "0.0.0.0"],
  PORT: [z.coerce.number().int().min(0).max(65_535).default(8080), "8080"],
  DATA_DIR: [z.string().default("./data"), "/var/lib/platform"],
  DATABASE_URL: [z.string().optional(), "file:/var/lib/platform/platform.db"],
  ADMIN_USERNAME: [z.string().min(1).max(100).optional(), "admin"],
  ADMIN_PASSWORD: [z.string().min(12).max(128).optional(), "a sentence of 12 characters or more"],
  SESSION_SECRET: [z.string().min(32).optional(), "the output of: openssl rand -base64 32"],
  SESSION_TTL_SECONDS: [seconds(28_800), "28800"],
  AGENT_OFFLINE_THRESHOLD_SECONDS: [seconds(90), "90"],
  AGENT_SUPPRESS_AFTER_SECONDS: [seconds(900), "900"],
  SERVICE_STALE_THRESHOLD_SECONDS: [seconds(120), "120"],
  AGENT_HEARTBEAT_INTERVAL_SECONDS: [seconds(30), "30"],
  MAINTENANCE_INTERVAL_SECONDS: [seconds(60), "60"],
  COMMAND_TTL_SECONDS: [seconds(300), "300"],
  COMMAND_RESULT_MAX_BYTES: [
    z.coerce.number().int().min(1024).max(100_000_000).default(1_000_000),
    "1000000",
  ],
  REGISTRATION_TOKEN_TTL_SECONDS: [seconds(86_400, 0), "86400"],
  AUDIT_RETENTION_DAYS: [days(90), "90"],
  BUS_EVENT_RETENTION_DAYS: [days(30), "30"],
  WORKSPACE_NAME: [z.string().min(1).max(100).default("default"), "Plant 7"],
  PUBLIC_URL: [httpUrl.optional(), "https://agents.example.com"],
  ALLOWED_HOSTS: [z.string().default(""), "agents.example.com,10.0.0.5"],
  LOG_LEVEL: [z.enum(["debug", "info", "warn", "error", "silent"]).default("info"), "info"],
  LOG_FORMAT: [z.enum(["json", "pretty"]).optional(), "json"],
  VERSION: [z.string().optional(), "1.2.3"],
  COMMIT: [z.string().optional(), "a1b2c3d"],
  BUILD_TIME: [z.string().optional(), "2026-01-02T03:04:05.678Z"],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

type Name = keyof typeof variables;
type Values = { [N in Name]: z.output<(typeof variables)[N][0]> };

/**
 * The configuration from variables (by their names without `PLATFORM_`). `sourceVersion` is the
 * version of the sources, shown as `<semver>-dev`. Throws ConfigError.
 */
export function loadConfig(env: Record<string, string>, sourceVersion: string): Config {
  const values = check(env);
  const dataDir = resolve(values.DATA_DIR);
  requireOrder(values);
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
    agentHeartbeatIntervalSeconds: values.AGENT_HEARTBEAT_INTERVAL_SECONDS,
    maintenanceIntervalSeconds: values.MAINTENANCE_INTERVAL_SECONDS,
    commandTtlSeconds: values.COMMAND_TTL_SECONDS,
    commandResultMaxBytes: values.COMMAND_RESULT_MAX_BYTES,
    registrationTokenTtlSeconds: values.REGISTRATION_TOKEN_TTL_SECONDS,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    busEventRetentionDays: values.BUS_EVENT_RETENTION_DAYS,
    workspaceName: values.WORKSPACE_NAME,
    publicUrl: values.PUBLIC_URL,
    allowedHosts: values.ALLOWED_HOSTS.split(",").flatMap((name) => name.trim() || []),
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    version: values.VERSION ?? `${sourceVersion}-dev`,
    commit: values.COMMIT,
    buildTime: values.BUILD_TIME,
  };
}

function check(env: Record<string, string>): Values {
  const values: Record<string, unknown> = {};
  for (const [name, [schema, example]] of Object.entries(variables)) {
    const parsed = (schema as z.ZodType).safeParse(env[name]);
    if (!parsed.success) {
      const problem = parsed.error.issues[0]?.message ?? "is not valid";
      throw new ConfigError(`PLATFORM_${name}: ${problem} (for example: ${example})`);
    }
    values[name] = parsed.data;
  }
  return values as Values;
}

function requireOrder(values: Values): void {
  if (values.AGENT_SUPPRESS_AFTER_SECONDS < values.AGENT_OFFLINE_THRESHOLD_SECONDS) {
    throw new ConfigError(
      "PLATFORM_AGENT_SUPPRESS_AFTER_SECONDS: must not be below " +
        `PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS (for example: 900 and 90)`,
    );
  }
  if (values.AGENT_OFFLINE_THRESHOLD_SECONDS <= values.AGENT_HEARTBEAT_INTERVAL_SECONDS) {
    throw new ConfigError(
      "PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: must be above " +
        "PLATFORM_AGENT_HEARTBEAT_INTERVAL_SECONDS (for example: 90 and 30)",
    );
  }
}

function databaseFileOf(url: string | undefined, dataDir: string): string {
  if (url === undefined) return join(dataDir, "platform.db");
  const path = url.startsWith("file:") ? url.slice("file:".length).replace(/^\/\/(?=\/)/, "") : url;
  if (path === "" || /^(\/\/|:|[a-z][a-z0-9+.-]*:)/i.test(path)) {
    throw new ConfigError(
      "PLATFORM_DATABASE_URL: only SQLite files are supported (for example: file:/var/lib/platform/platform.db)",
    );
  }
  return isAbsolute(path) ? path : resolve(path);
}
