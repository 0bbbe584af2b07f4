// The table of settings. docs/configuration.md explains them; a test compares the two.

import { settingBounds as bounds, unnamedWorkspace } from "../lib/setting-bounds.ts";
import {
  bindAddress,
  hostNames,
  oneOf,
  proxies,
  type Read,
  siteUrl,
  textOf,
  username,
  utcTime,
  wholeNumber,
  yesOrNo,
} from "./readers.ts";

export interface Variable<T> {
  read: Read<T>;
  /** The default in its text form; undefined if there is none. */
  byDefault: string | undefined;
  example: string;
  /** A secret value is never shown. */
  secret?: true;
}

const seconds = (min = 1) => wholeNumber(min, 3_153_600_000);
const retention = wholeNumber(bounds.retentionDays.min, bounds.retentionDays.max);
const sweepInterval = wholeNumber(
  bounds.maintenanceIntervalSeconds.min,
  bounds.maintenanceIntervalSeconds.max,
);
const workspaceName = textOf(bounds.workspaceName.min, bounds.workspaceName.max);
const text = textOf(1, 1000);

/** The names have no `PLATFORM_`. */
export const variables = {
  HOST: setting(bindAddress, "127.0.0.1"),
  PORT: setting(wholeNumber(0, 65_535), "8080"),
  DATA_DIR: setting(text, "./data"),
  DATABASE_URL: optional(text, "file:/var/lib/platform/platform.db"),
  AUDIT_KEY_FILE: optional(text, "/etc/platform/audit.key"),
  ADMIN_USERNAME: setting(username, "admin"),
  ADMIN_PASSWORD: secret(textOf(1), "a sentence of 12 characters or more"),
  SESSION_SECRET: secret(textOf(32), "the output of: openssl rand -base64 32"),
  SESSION_SECRET_FILE: optional(text, "/etc/platform/session.key"),
  SESSION_TTL_SECONDS: setting(seconds(), "28800"),
  AGENT_OFFLINE_THRESHOLD_SECONDS: setting(seconds(), "90"),
  AGENT_SUPPRESS_AFTER_SECONDS: setting(seconds(), "900"),
  SERVICE_STALE_THRESHOLD_SECONDS: setting(seconds(), "120"),
  AGENT_MAX_SERVICES: setting(wholeNumber(1, 100_000), "512"),
  AGENT_HEARTBEAT_INTERVAL_SECONDS: setting(seconds(), "30"),
  MAINTENANCE_INTERVAL_SECONDS: setting(sweepInterval, "60"),
  COMMAND_TTL_SECONDS: setting(seconds(), "300"),
  COMMAND_RESULT_MAX_BYTES: setting(wholeNumber(1024, 100_000_000), "1000000"),
  REGISTRATION_TOKEN_TTL_SECONDS: setting(seconds(0), "86400"),
  AUDIT_RETENTION_DAYS: setting(retention, "90"),
  BUS_EVENT_RETENTION_DAYS: setting(retention, "30"),
  COMMAND_RETENTION_DAYS: setting(retention, "90"),
  SILENT_RETENTION_DAYS: setting(retention, "0"),
  SERVICE_HISTORY_RETENTION_DAYS: setting(retention, "35"),
  CAPSULE_BUS_ENABLED: setting(yesOrNo, "false", "true"),
  CAPSULE_BUS_INGEST_PER_MIN: setting(wholeNumber(1, 1_000_000), "60"),
  /** The maximum number of services, and of agents, in the Prometheus metrics. */
  METRICS_MAX_SERIES: setting(wholeNumber(0, 100_000), "2000"),
  MAX_CONNECTIONS: optional(wholeNumber(16, 1_000_000), "20000"),
  MAX_CONNECTIONS_PER_ADDRESS: optional(wholeNumber(1, 1_000_000), "5000"),
  /** The limit per credential; 0 means no limit. */
  MAX_REQUESTS_PER_SECOND: setting(wholeNumber(0, 1_000_000), "200"),
  MAX_PENDING_BODY_BYTES: optional(wholeNumber(4_194_304, 10_000_000_000), "67108864"),
  /** The limit for all clients together. */
  MAX_PENDING_OUTPUT_BYTES: setting(wholeNumber(1_048_576, 10_000_000_000), "134217728"),
  STALLED_OUTPUT_SECONDS: setting(wholeNumber(1, 3600), "30"),
  /** The whole shutdown must take at most 10 s. */
  DRAIN_SECONDS: optional(wholeNumber(0, 5), "3"),
  WORKSPACE_NAME: setting(workspaceName, unnamedWorkspace),
  PUBLIC_URL: optional(siteUrl, "https://agents.example.com"),
  ALLOWED_HOSTS: optional(hostNames, "agents.example.com,10.0.0.5"),
  TRUST_PROXY: setting(proxies, "false", "loopback,10.0.0.0/8"),
  TLS_CERT_FILE: optional(text, "/etc/platform/tls.crt"),
  TLS_KEY_FILE: optional(text, "/etc/platform/tls.key"),
  LOG_LEVEL: setting(oneOf("debug", "info", "warn", "error", "silent"), "info"),
  LOG_FORMAT: optional(oneOf("json", "pretty"), "json"),
  VERSION: optional(text, "1.2.3"),
  COMMIT: optional(text, "a1b2c3d"),
  BUILD_TIME: optional(utcTime, "2026-01-02T03:04:05.678Z"),
};

export type VariableName = keyof typeof variables;

/** Settings that only a server uses, not a command that works on the database itself. */
export const listenerVariables: readonly VariableName[] = [
  "HOST",
  "PORT",
  "ADMIN_USERNAME",
  "ADMIN_PASSWORD",
  "PUBLIC_URL",
  "ALLOWED_HOSTS",
  "TRUST_PROXY",
  "TLS_CERT_FILE",
  "TLS_KEY_FILE",
  "MAX_CONNECTIONS",
  "MAX_CONNECTIONS_PER_ADDRESS",
  "MAX_REQUESTS_PER_SECOND",
  "MAX_PENDING_BODY_BYTES",
  "MAX_PENDING_OUTPUT_BYTES",
  "STALLED_OUTPUT_SECONDS",
  "DRAIN_SECONDS",
  "LOG_LEVEL",
  "LOG_FORMAT",
];

/** A setting without a default is undefined when it is not set. */
export type Values = {
  [Name in VariableName]: ReturnType<(typeof variables)[Name]["read"]> extends infer T
    ? (typeof variables)[Name] extends { byDefault: string }
      ? T
      : T | undefined
    : never;
};

export const variableNames = Object.keys(variables) as VariableName[];

/** Variables that only the command line reads. */
export const commandLineVariables = [
  "URL",
  "DB",
  "CONTEXT",
  "API_KEY",
  "CA_FILE",
  "REGISTRATION_TOKEN",
] as const;

function setting<T>(read: Read<T>, byDefault: string, example = byDefault) {
  return { read, byDefault, example };
}

function optional<T>(read: Read<T>, example: string) {
  return { read, byDefault: undefined, example };
}

function secret<T>(read: Read<T>, example: string) {
  return { read, byDefault: undefined, example, secret: true as const };
}
