// Every setting: its default, a value, and what is said of a bad one: one line that names the
// variable, the problem and an example that would have been taken.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { ConfigError } from "../../src/config/config-error.ts";

interface Setting {
  name: string;
  key: keyof Config;
  byDefault: unknown;
  /** What is written, and what it means. */
  good: [string, unknown];
  bad: string[];
}

const seconds = (name: string, key: keyof Config, byDefault: number): Setting => ({
  name,
  key,
  byDefault,
  good: ["600", 600],
  bad: ["0", "-1", "1.5", "ten", "5m", "1e99", "NaN"],
});

const loopback = ["127.0.0.0/8", "::1/128"];

const settings: Setting[] = [
  {
    name: "HOST",
    key: "host",
    byDefault: "127.0.0.1",
    good: ["::", "::"],
    bad: ["*", "127.0.0.1:8080", "[::1]", "http://localhost", "a b"],
  },
  {
    name: "PORT",
    key: "port",
    byDefault: 8080,
    good: ["0", 0],
    bad: [
      "65536",
      "-1",
      "http",
      "80.5",
      "0x1F90",
      "1e3",
      " 80 ",
      "8080.0",
      "080",
      "tcp://10.0.0.1:80",
    ],
  },
  { name: "DATA_DIR", key: "dataDir", byDefault: resolve("data"), good: ["/a/b", "/a/b"], bad: [] },
  {
    name: "DATABASE_URL",
    key: "databaseFile",
    byDefault: resolve("data/platform.db"),
    good: ["file:/a/b.db", "/a/b.db"],
    bad: [
      "postgres://u:p@host/db",
      "mysql:x",
      "http://a/b",
      "sqlite:a.db",
      "file:",
      "file://a/b.db",
      "file:/a/b.db?mode=ro",
      "file:a.db#b",
      "file:/a/100%.db",
      "file:100%.db",
      ":memory:",
    ],
  },
  {
    name: "ADMIN_USERNAME",
    key: "adminUsername",
    byDefault: "admin",
    good: ["eve", "eve"],
    bad: ["x".repeat(101), "a b", "-a", "a\nb"],
  },
  {
    name: "ADMIN_PASSWORD",
    key: "adminPassword",
    byDefault: undefined,
    good: ["hunter2-abcd", "hunter2-abcd"],
    bad: ["hunter2-abc", "hunter2-".repeat(17), "x".repeat(12), "password1234"],
  },
  {
    name: "SESSION_SECRET",
    key: "sessionSecret",
    byDefault: undefined,
    good: ["x".repeat(32), "x".repeat(32)],
    bad: ["hunter2".padEnd(31, "x")],
  },
  seconds("SESSION_TTL_SECONDS", "sessionTtlSeconds", 28_800),
  { ...seconds("AGENT_OFFLINE_THRESHOLD_SECONDS", "agentOfflineThresholdSeconds", 90) },
  { ...seconds("AGENT_SUPPRESS_AFTER_SECONDS", "agentSuppressAfterSeconds", 900) },
  seconds("SERVICE_STALE_THRESHOLD_SECONDS", "serviceStaleThresholdSeconds", 120),
  {
    name: "AGENT_MAX_SERVICES",
    key: "agentMaxServices",
    byDefault: 512,
    good: ["1", 1],
    bad: ["0", "100001", "many"],
  },
  {
    ...seconds("AGENT_HEARTBEAT_INTERVAL_SECONDS", "agentHeartbeatIntervalSeconds", 30),
    good: ["10", 10],
  },
  {
    ...seconds("MAINTENANCE_INTERVAL_SECONDS", "maintenanceIntervalSeconds", 60),
    good: ["86400", 86_400],
    bad: ["0", "86401"],
  },
  seconds("COMMAND_TTL_SECONDS", "commandTtlSeconds", 300),
  {
    name: "COMMAND_RESULT_MAX_BYTES",
    key: "commandResultMaxBytes",
    byDefault: 1_000_000,
    good: ["1024", 1024],
    bad: ["1023", "100000001", "1MB"],
  },
  {
    ...seconds("REGISTRATION_TOKEN_TTL_SECONDS", "registrationTokenTtlSeconds", 86_400),
    good: ["0", 0],
    bad: ["-1", "never"],
  },
  {
    name: "AUDIT_RETENTION_DAYS",
    key: "auditRetentionDays",
    byDefault: 90,
    good: ["0", 0],
    bad: ["-1", "1.5", "ever", "36501"],
  },
  {
    name: "BUS_EVENT_RETENTION_DAYS",
    key: "busEventRetentionDays",
    byDefault: 30,
    good: ["0", 0],
    bad: ["-1", "1.5", "ever", "36501"],
  },
  {
    name: "COMMAND_RETENTION_DAYS",
    key: "commandRetentionDays",
    byDefault: 90,
    good: ["0", 0],
    bad: ["-1", "1.5", "ever", "36501"],
  },
  {
    name: "SILENT_RETENTION_DAYS",
    key: "silentRetentionDays",
    byDefault: 0,
    good: ["30", 30],
    bad: ["-1", "1.5", "never", "36501"],
  },
  {
    name: "CAPSULE_BUS_ENABLED",
    key: "busEnabled",
    byDefault: false,
    good: ["true", true],
    bad: ["yes", "1", "TRUE", "on"],
  },
  {
    name: "CAPSULE_BUS_INGEST_PER_MIN",
    key: "busIngestPerMinute",
    byDefault: 60,
    good: ["1", 1],
    bad: ["0", "-1", "1000001", "many"],
  },
  {
    name: "METRICS_MAX_SERIES",
    key: "metricsMaxSeries",
    byDefault: 2000,
    good: ["0", 0],
    bad: ["-1", "100001", "all"],
  },
  {
    name: "MAX_CONNECTIONS",
    key: "maxConnections",
    byDefault: null,
    good: ["40000", 40_000],
    bad: ["15", "-1", "many"],
  },
  {
    name: "MAX_CONNECTIONS_PER_ADDRESS",
    key: "maxConnectionsPerAddress",
    byDefault: null,
    good: ["100", 100],
    bad: ["0", "1e3"],
  },
  {
    name: "MAX_REQUESTS_PER_SECOND",
    key: "maxRequestsPerSecond",
    byDefault: 200,
    good: ["0", 0],
    bad: ["-1", "0.5"],
  },
  {
    name: "MAX_PENDING_BODY_BYTES",
    key: "maxPendingBodyBytes",
    byDefault: 67_108_864,
    good: ["8000000", 8_000_000],
    bad: ["4194303", "64MiB"],
  },
  {
    name: "MAX_PENDING_OUTPUT_BYTES",
    key: "maxPendingOutputBytes",
    byDefault: 134_217_728,
    good: ["16000000", 16_000_000],
    bad: ["1000", "64MiB"],
  },
  {
    name: "STALLED_OUTPUT_SECONDS",
    key: "stalledOutputSeconds",
    byDefault: 30,
    good: ["60", 60],
    bad: ["0", "3601"],
  },
  {
    name: "WORKSPACE_NAME",
    key: "workspaceName",
    byDefault: "default",
    good: ["Plant 7", "Plant 7"],
    bad: ["x".repeat(101)],
  },
  {
    name: "PUBLIC_URL",
    key: "publicUrl",
    byDefault: undefined,
    good: ["https://a.example:8443", "https://a.example:8443"],
    bad: ["a.example", "ftp://a.example", "https://", "javascript:1"],
  },
  {
    name: "ALLOWED_HOSTS",
    key: "allowedHosts",
    byDefault: [],
    good: [
      " A.example, ,10.0.0.5:8080,::1,[2001:DB8:0::1]:80",
      ["a.example", "10.0.0.5", "[::1]", "[2001:db8::1]"],
    ],
    bad: [
      "https://a.example",
      "*.example",
      "a b",
      "a.example/x",
      "a,b:c",
      "a.example;b.example",
      ",",
      " , ",
      " ",
    ],
  },
  {
    name: "TRUST_PROXY",
    key: "trustProxy",
    byDefault: false,
    good: ["loopback, 10.1.0.0/16,2001:db8::1", [...loopback, "10.1.0.0/16", "2001:db8::1/128"]],
    bad: ["1", "yes", "TRUE", "10.0.0.0/33", "proxy.example", "loopback;private", ",", " "],
  },
  {
    name: "LOG_LEVEL",
    key: "logLevel",
    byDefault: "info",
    good: ["debug", "debug"],
    bad: ["INFO", "verbose"],
  },
  {
    name: "LOG_FORMAT",
    key: "logFormat",
    byDefault: undefined,
    good: ["pretty", "pretty"],
    bad: ["text"],
  },
  { name: "VERSION", key: "version", byDefault: "1.2.3-dev", good: ["2.0.0", "2.0.0"], bad: [] },
  { name: "COMMIT", key: "commit", byDefault: undefined, good: ["a1b2c3d", "a1b2c3d"], bad: [] },
  {
    name: "BUILD_TIME",
    key: "buildTime",
    byDefault: undefined,
    good: ["2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"],
    bad: [
      "yesterday",
      "2026-01-02",
      "2026-01-02T03:04:05+01:00",
      "2026-02-30T00:00:00Z",
      "1767323045",
    ],
  },
];

const load = (env: Record<string, string> = {}) => loadConfig(env, "1.2.3");

function refusalOf(env: Record<string, string>): string {
  try {
    load(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error(`${JSON.stringify(env)} was taken`);
}

test("every part of the configuration is in this table", () => {
  const keys = [...settings.map(({ key }) => key), "tls"];
  expect(keys.sort()).toEqual(Object.keys(load()).sort());
});

describe.each(settings)("$name", ({ name, key, byDefault, good: [text, value], bad }) => {
  test("has its default", () => {
    expect(load()[key]).toEqual(byDefault);
  });

  test("takes a value, and changes nothing else", () => {
    expect(load({ [name]: text })).toEqual({
      ...load(),
      ...(name === "DATA_DIR" ? { databaseFile: "/a/b/platform.db" } : {}),
      [key]: value,
    });
  });

  test.each(bad)("refuses '%s'", (wrong) => {
    const message = refusalOf({ [name]: wrong });
    const form = /^PLATFORM_(\w+): .+ \(for example: (.+)\)$/.exec(message);
    expect(form?.[1]).toBe(name);
    expect(message).not.toContain("\n");
    expect(message).not.toContain("hunter2");
    expect(() => load({ [name]: form?.[2] ?? "" })).not.toThrow();
  });
});

describe("settings that must fit each other", () => {
  test.each([
    {
      env: { AGENT_SUPPRESS_AFTER_SECONDS: "89" },
      says: /^PLATFORM_AGENT_SUPPRESS_AFTER_SECONDS: must not be below PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS/,
    },
    {
      env: { AGENT_OFFLINE_THRESHOLD_SECONDS: "901" },
      says: /^PLATFORM_AGENT_SUPPRESS_AFTER_SECONDS: must not be below/,
    },
    {
      env: { AGENT_OFFLINE_THRESHOLD_SECONDS: "30" },
      says: /^PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: must be above PLATFORM_AGENT_HEARTBEAT_INTERVAL_SECONDS/,
    },
    {
      env: { AGENT_HEARTBEAT_INTERVAL_SECONDS: "90" },
      says: /^PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: must be above/,
    },
    {
      env: { MAX_PENDING_BODY_BYTES: "7999999", COMMAND_RESULT_MAX_BYTES: "2000000" },
      says: /^PLATFORM_MAX_PENDING_BODY_BYTES: must be at least four times PLATFORM_COMMAND_RESULT_MAX_BYTES/,
    },
  ])("$env", ({ env, says }) => {
    const message = refusalOf(env);
    expect(message).toMatch(says);
    expect(message).toMatch(/ \(for example: .+\)$/);
    expect(message).not.toContain("\n");
  });

  test.each([
    { AGENT_SUPPRESS_AFTER_SECONDS: "90" },
    { AGENT_OFFLINE_THRESHOLD_SECONDS: "31" },
    { AGENT_OFFLINE_THRESHOLD_SECONDS: "900" },
    { AGENT_HEARTBEAT_INTERVAL_SECONDS: "89" },
  ])("%o is fine", (env) => {
    expect(() => load(env)).not.toThrow();
  });
});

test.each([
  { env: {}, file: resolve("data/platform.db") },
  { env: { DATA_DIR: "/d" }, file: "/d/platform.db" },
  { env: { DATABASE_URL: "file:/a/b.db" }, file: "/a/b.db" },
  { env: { DATABASE_URL: "file:///a/b.db" }, file: "/a/b.db" },
  { env: { DATABASE_URL: "file:b.db" }, file: resolve("b.db") },
  { env: { DATABASE_URL: "file:../b.db" }, file: resolve("../b.db") },
  { env: { DATABASE_URL: "file:/a/b%20c%3F.db" }, file: "/a/b c?.db" },
  { env: { DATABASE_URL: "file:b%20c.db" }, file: resolve("b c.db") },
  { env: { DATABASE_URL: "/a/b%20c?.db" }, file: "/a/b%20c?.db" },
  { env: { DATABASE_URL: "/a/b c.db" }, file: "/a/b c.db" },
  { env: { DATABASE_URL: "b.db" }, file: resolve("b.db") },
  { env: { DATABASE_URL: "b.db", DATA_DIR: "/d" }, file: resolve("b.db") },
])("the database of $env", ({ env, file }) => {
  expect(load(env).databaseFile).toBe(file);
});

test.each([
  ["true", true],
  ["false", false],
])("trusted proxies: '%s'", (text, trustProxy) => {
  expect(load({ TRUST_PROXY: text })).toMatchObject({ trustProxy });
});

test("a file URL leads back to its path, whatever is in the name", () => {
  const file = "/a b/100%20?#.db";
  expect(load({ DATABASE_URL: pathToFileURL(file).href }).databaseFile).toBe(file);
});

describe("certificate and key", () => {
  test("come together, by their whole paths", () => {
    expect(load().tls).toBeUndefined();
    expect(load({ TLS_CERT_FILE: "a.crt", TLS_KEY_FILE: "/b/a.key" }).tls).toEqual({
      certFile: resolve("a.crt"),
      keyFile: "/b/a.key",
    });
  });

  test.each([
    ["TLS_CERT_FILE", "TLS_KEY_FILE"],
    ["TLS_KEY_FILE", "TLS_CERT_FILE"],
  ])("%s without the other names the other", (given, missing) => {
    expect(refusalOf({ [given]: "x" })).toMatch(
      new RegExp(
        `^PLATFORM_${missing}: must be set because PLATFORM_${given} is set \\(for example: `,
      ),
    );
  });
});

describe("a bad value is told in plain words", () => {
  test.each([
    ["PORT", "x", 'must be a whole number from 0 to 65535, not "x" (for example: 8080)'],
    ["SESSION_TTL_SECONDS", "0", 'must be a whole number from 1 to 3153600000, not "0"'],
    ["ADMIN_PASSWORD", "short", "must have 12 to 128 characters (for example: a sentence"],
    ["SESSION_SECRET", "short", "must have 32 characters or more (for example: "],
    [
      "ADMIN_PASSWORD",
      "password1234",
      "is one of the commonest passwords (for example: a sentence",
    ],
    [
      "ADMIN_USERNAME",
      "a b",
      "must begin with a letter or digit and hold only letters, digits and",
    ],
    ["DATABASE_URL", "file:/a?b", "must not contain ? or # (for example: file:/"],
    ["DATABASE_URL", "file:/a%b", "is a URL, so write % as %25 (for"],
    ["ALLOWED_HOSTS", ",", 'must not be an empty list: "," (for'],
    ["LOG_LEVEL", "loud", 'must be debug, info, warn, error or silent, not "loud" (for'],
    ["LOG_FORMAT", "xml", 'must be json or pretty, not "xml" (for example: json)'],
    ["PUBLIC_URL", "agents.example", "must be a URL that begins with https:// or http://"],
    ["PUBLIC_URL", "https://a:hunter2@b", "must not contain a user name or password (for"],
    [
      "ALLOWED_HOSTS",
      "a,b c",
      'must be host names or addresses separated by commas; "b c" is neither',
    ],
    ["BUILD_TIME", "now", 'must be a UTC time in ISO 8601, not "now"'],
    ["PORT", "x".repeat(99), `not "${"x".repeat(40)}…" (`],
  ])("%s=%s", (name, value, says) => {
    const message = refusalOf({ [name]: value });
    expect(message).toContain(says);
    expect(message).not.toMatch(/hunter2|Invalid|expected|received|string|NaN/);
  });

  test("by the flag that it came by", () => {
    const error = new ConfigError("PORT", "must be a port", "8080").saidBy("--port");
    expect(error.message).toBe("--port: must be a port (for example: 8080)");
  });

  test("by the flag of its partner too", () => {
    const error = new ConfigError("A", "must be set, as PLATFORM_B is", "1", "B");
    expect(error.message).toBe("PLATFORM_A: must be set, as PLATFORM_B is (for example: 1)");
    expect(error.saidBy("--a").message).toBe("--a: must be set, as PLATFORM_B is (for example: 1)");
    expect(error.saidBy("--a", "--b").message).toBe("--a: must be set, as --b is (for example: 1)");
  });

  test("the owner's password must not be the owner's name", () => {
    const message = refusalOf({ ADMIN_USERNAME: "Ada.Lovelace", ADMIN_PASSWORD: "ada.lovelace" });
    expect(message).toMatch(/^PLATFORM_ADMIN_PASSWORD: must not be the username \(for example: /);
  });
});

test("a time in UTC is kept to the millisecond", () => {
  const load = (text: string) => loadConfig({ BUILD_TIME: text }, "1.2.3").buildTime;
  expect(load("2026-01-02T03:04:05Z")).toBe("2026-01-02T03:04:05.000Z");
  expect(load("2026-01-02T03:04:05.6789Z")).toBe("2026-01-02T03:04:05.678Z");
});

test("what is not a setting is nobody's business", () => {
  expect(load({ TOKEN: "x", NOTHING: "y" })).toEqual(load());
});
