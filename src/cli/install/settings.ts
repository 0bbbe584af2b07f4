// What each setting of the server means, for files that are made of it: the default configuration and the
// man pages. docs/configuration.md has the same words; a test compares.

import { type VariableName, variables } from "../../config/variables.ts";

export interface Setting {
  /** With `PLATFORM_`. */
  variable: string;
  meaning: string;
  /** Its default; else what takes its place, as words. */
  byDefault: { value: string } | { words: string };
  /** A value of the right form; of a secret there is none. */
  example: string;
}

/** The others are baked into a packaged program. */
type Settable = Exclude<VariableName, "VERSION" | "COMMIT" | "BUILD_TIME">;

const meanings: Record<Settable, string> = {
  HOST: "address to listen on",
  PORT: "port; 0 takes a free one",
  DATA_DIR:
    "folder of the database, unless PLATFORM_DATABASE_URL says otherwise; made with mode 0700",
  DATABASE_URL:
    "a SQLite file: a path as it is, or a file: URL (in which %20 is a space), without ? or #",
  ADMIN_USERNAME: "name of the owner that the first start makes",
  ADMIN_PASSWORD: "password of that owner, 12 to 128 characters, none of the commonest",
  SESSION_SECRET: "32 characters or more; a new one ends all sessions",
  SESSION_TTL_SECONDS: "a session ends after this long without use (and after 7 days)",
  AGENT_HEARTBEAT_INTERVAL_SECONDS: "what agents are told",
  AGENT_OFFLINE_THRESHOLD_SECONDS: "silent for longer: agent OFFLINE, services STALE",
  AGENT_SUPPRESS_AFTER_SECONDS: "silent for longer: services OFFLINE",
  SERVICE_STALE_THRESHOLD_SECONDS:
    "not reported for longer: service STALE; agents report four times in it",
  AGENT_MAX_SERVICES: "services that one agent may have; new ones beyond are refused",
  MAINTENANCE_INTERVAL_SECONDS: "how often states are swept; at most 86400",
  COMMAND_TTL_SECONDS: "how long a command waits to be fetched",
  COMMAND_RESULT_MAX_BYTES: "size of a command's result",
  REGISTRATION_TOKEN_TTL_SECONDS: "life of a registration token; 0 for ever",
  AUDIT_RETENTION_DAYS: "audit rows older than this are deleted; 0 for never",
  BUS_EVENT_RETENTION_DAYS: "the same for events of the bus",
  COMMAND_RETENTION_DAYS: "the same for commands that have ended, with their results",
  SILENT_RETENTION_DAYS:
    "agents that have been OFFLINE for longer, and services that no agent has reported for longer, are deleted; 0 for never",
  CAPSULE_BUS_ENABLED: "true switches the event bus on",
  CAPSULE_BUS_INGEST_PER_MIN: "events that one agent may publish in a minute",
  METRICS_MAX_SERIES: "services, and agents, that Prometheus gets a series for; 0: none",
  MAX_CONNECTIONS: "connections open at a time",
  MAX_CONNECTIONS_PER_ADDRESS:
    "of these, from one IPv4 address or /64 network of IPv6; trusted proxies are exempt",
  MAX_REQUESTS_PER_SECOND:
    "requests of one agent, user or API key, on average over ten seconds; 0 for no limit",
  MAX_PENDING_BODY_BYTES: "memory for the bodies of requests that are not answered yet",
  MAX_PENDING_OUTPUT_BYTES: "memory for answers that clients have not read yet",
  STALLED_OUTPUT_SECONDS: "an answer of which nothing is read for this long is cut off",
  WORKSPACE_NAME: "the name of this installation",
  PUBLIC_URL: "where browsers find the server; with https cookies are for HTTPS only",
  ALLOWED_HOSTS:
    "names and addresses the Host header may have, with commas between, one at least; a port in one is left out: any will do",
  TRUST_PROXY: "whose X-Forwarded-* headers count",
  TLS_CERT_FILE: "certificate in PEM, with those between it and its root; HTTPS",
  TLS_KEY_FILE: "its private key in PEM, without a passphrase",
  LOG_LEVEL: "debug, info, warn, error, silent",
  LOG_FORMAT: "json, pretty",
};

/** Where there is no one value. */
const defaults: Partial<Record<Settable, string>> = {
  DATABASE_URL: "platform.db in the data folder",
  ADMIN_PASSWORD: "made up, printed once",
  SESSION_SECRET: "made once, kept beside the database",
  MAX_CONNECTIONS: "20000, or what the limit of open files allows, less 96",
  MAX_CONNECTIONS_PER_ADDRESS: "nine tenths of PLATFORM_MAX_CONNECTIONS",
  MAX_PENDING_BODY_BYTES: "67108864, or four times PLATFORM_COMMAND_RESULT_MAX_BYTES",
  PUBLIC_URL: "none",
  ALLOWED_HOSTS: "loopback names, and any when bound elsewhere",
  TLS_CERT_FILE: "none",
  TLS_KEY_FILE: "none",
  LOG_FORMAT: "pretty on a terminal, else json",
};

/** All that can be set, in the order of the documentation. */
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

/** What the command line reads of the same environment. */
export const commandLineSettings: { variable: string; meaning: string }[] = [
  { variable: "PLATFORM_URL", meaning: "the server that platformctl works through" },
  {
    variable: "PLATFORM_CONTEXT",
    meaning: "the context that it works in: where somebody has signed in",
  },
  { variable: "PLATFORM_API_KEY", meaning: "its credential there, in place of a session" },
  {
    variable: "PLATFORM_CA_FILE",
    meaning: "certificates in PEM that vouch for that server",
  },
  { variable: "PLATFORM_DB", meaning: "the database file that it works on instead" },
  {
    variable: "PLATFORM_REGISTRATION_TOKEN",
    meaning: "what platform agent run registers with, unless its file names something else",
  },
];
