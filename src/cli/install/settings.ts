// The meaning of each server setting, for the generated configuration file and the man pages.
// docs/reference/configuration.md has the same wording; a test compares the two.

import type { builtInNames } from "../../config/built-in.ts";
import { type VariableName, variables } from "../../config/variables.ts";

export interface Setting {
  /** The variable's name, including `PLATFORM_`. */
  variable: string;
  meaning: string;
  byDefault: { value: string } | { words: string };
  /** A valid value; empty for a secret. */
  example: string;
}

/** The build sets the other variables in a packaged program. */
type Settable = Exclude<VariableName, (typeof builtInNames)[number]>;

const meanings: Record<Settable, string> = {
  HOST: "address to listen on",
  PORT: "port to listen on; 0 picks a free one",
  DATA_DIR: "folder of the database if PLATFORM_DATABASE_URL is not set; created with mode 0700",
  DATABASE_URL:
    "path or file: URL of the SQLite file, without ? or # (%20 in the URL is a space); or the postgres: URL of a PostgreSQL database",
  AUDIT_KEY_FILE:
    "file with the key of the audit chain, 32 bytes in Base64; required with PostgreSQL",
  ADMIN_USERNAME: "name of the owner that the first start creates",
  ADMIN_PASSWORD:
    "password of the owner that the first start creates: 12 to 128 characters, not one of the most common passwords",
  SESSION_SECRET:
    "secret for sessions and CSRF tokens, at least 32 characters; a new value ends all sessions",
  SESSION_SECRET_FILE:
    "file with 32 bytes in Base64, instead of PLATFORM_SESSION_SECRET; PostgreSQL requires one of the two",
  SESSION_TTL_SECONDS: "a session ends after this long without use (and after 7 days in any case)",
  AGENT_HEARTBEAT_INTERVAL_SECONDS: "interval at which agents are asked to send heartbeats",
  AGENT_OFFLINE_THRESHOLD_SECONDS:
    "after this long without a call, an agent is OFFLINE and its services are STALE",
  AGENT_SUPPRESS_AFTER_SECONDS:
    "after this long without a call from the agent, its services are OFFLINE",
  SERVICE_STALE_THRESHOLD_SECONDS:
    "after this long without a report, a service is STALE; agents report four times within this time",
  AGENT_MAX_SERVICES: "maximum number of services of one agent; further ones are refused",
  MAINTENANCE_INTERVAL_SECONDS: "interval of the maintenance sweep; at most 86400",
  COMMAND_TTL_SECONDS: "how long a command waits for its agent before it expires",
  COMMAND_RESULT_MAX_BYTES: "maximum size of a command's result",
  REGISTRATION_TOKEN_TTL_SECONDS: "lifetime of a registration token; 0 means no expiry",
  AUDIT_RETENTION_DAYS: "audit rows older than this are deleted; 0 keeps them forever",
  BUS_EVENT_RETENTION_DAYS: "bus events older than this are deleted; 0 keeps them forever",
  COMMAND_RETENTION_DAYS:
    "commands that ended longer ago than this are deleted, with their results; 0 keeps them forever",
  SILENT_RETENTION_DAYS:
    "agents that have been OFFLINE for longer than this are deleted, and so are services that no agent has reported for longer than this; 0 keeps them forever",
  SERVICE_HISTORY_RETENTION_DAYS:
    "past statuses of services are deleted this many days after they ended; 0 keeps them forever",
  CAPSULE_BUS_ENABLED: "true enables the event bus",
  CAPSULE_BUS_INGEST_PER_MIN: "maximum number of events that one agent can publish per minute",
  METRICS_MAX_SERIES:
    "maximum number of services, and of agents, with their own series in Prometheus; 0 means none",
  MAX_CONNECTIONS: "maximum number of open connections",
  MAX_CONNECTIONS_PER_ADDRESS:
    "maximum number of connections from one IPv4 address or IPv6 /64 network; trusted proxies are exempt",
  MAX_REQUESTS_PER_SECOND:
    "maximum number of requests a second from one agent, user or API key, averaged over ten seconds; 0 means no limit",
  MAX_PENDING_BODY_BYTES: "memory for the bodies of requests that are still being handled",
  MAX_PENDING_OUTPUT_BYTES: "memory for responses that clients have not read yet",
  STALLED_OUTPUT_SECONDS: "a response is cut off when its client has read nothing for this long",
  DRAIN_SECONDS:
    "how long a stopping server still accepts calls while /api/system/ready returns 503, so that load balancers can notice; at most 5",
  WORKSPACE_NAME: "name of this installation",
  PUBLIC_URL: "URL of the server in browsers; with https, cookies are sent only over HTTPS",
  ALLOWED_HOSTS:
    "one or more names or addresses accepted in the Host header, separated by commas; ports are ignored",
  TRUST_PROXY: "proxies whose X-Forwarded-* headers are trusted",
  TLS_CERT_FILE: "PEM certificate with its intermediate certificates; enables HTTPS",
  TLS_KEY_FILE: "private key of the certificate, in PEM, without a passphrase",
  LOG_LEVEL: "lowest level of messages to log: debug, info, warn or error; silent logs none",
  LOG_FORMAT: "format of the log: json or pretty",
};

const defaults: Partial<Record<Settable, string>> = {
  DATABASE_URL: "platform.db in the data folder",
  AUDIT_KEY_FILE: "audit.key, generated once, beside the database",
  ADMIN_PASSWORD: "generated, printed once",
  SESSION_SECRET: "generated once, kept beside the database",
  SESSION_SECRET_FILE: "session.key beside the database",
  MAX_CONNECTIONS: "20000, or the limit on open files minus 96 if that is lower",
  MAX_CONNECTIONS_PER_ADDRESS: "nine tenths of PLATFORM_MAX_CONNECTIONS",
  MAX_PENDING_BODY_BYTES:
    "67108864, or four times PLATFORM_COMMAND_RESULT_MAX_BYTES if that is more",
  DRAIN_SECONDS: "3 with PostgreSQL, otherwise 0",
  PUBLIC_URL: "none",
  ALLOWED_HOSTS: "loopback names; any name if the server listens on an address other than loopback",
  TLS_CERT_FILE: "none",
  TLS_KEY_FILE: "none",
  LOG_FORMAT: "pretty on a terminal, otherwise json",
};

/** In the order of the documentation. */
export const settings: Setting[] = Object.entries(meanings).map(([name, meaning]) => {
  const { byDefault, example, ...more } = variables[name as Settable];
  return {
    variable: `PLATFORM_${name}`,
    meaning,
    byDefault:
      byDefault === undefined ? { words: defaults[name as Settable] ?? "" } : { value: byDefault },
    example: "secret" in more ? "" : example,
  };
});

export const commandLineSettings: [variable: string, meaning: string][] = [
  ["PLATFORM_URL", "URL of the server that platformctl uses"],
  ["PLATFORM_CONTEXT", "context to use; a context is a server that you have signed in to"],
  ["PLATFORM_API_KEY", "API key for the server, used instead of a session"],
  ["PLATFORM_CA_FILE", "PEM file of the certificate authorities to trust for the server"],
  [
    "PLATFORM_DB",
    "database to work on instead of a server: a file, or the URL of a PostgreSQL database",
  ],
  [
    "PLATFORM_REGISTRATION_TOKEN",
    "registration token for platform agent run, unless the agent's file names another source",
  ],
];
