// The message for a bad value is one line with the variable, the problem and a valid example.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { ConfigError } from "../../src/config/config-error.ts";

const badPasswords = ["hunter2-".repeat(17), "x".repeat(12), "password1234"];
const password = "hunter2-abcd";
const url = "https://a.example:8443";
const time = "2026-01-02T03:04:05.678Z";

/** For each setting: the default, an accepted text, its value, and texts that are refused. */
const settings: Record<string, [byDefault: unknown, text: string, is: unknown, bad: string[]]> = {
  HOST: ["127.0.0.1", "::", "::", ["*", "127.0.0.1:8080", "[::1]", "http://localhost", "a b"]],
  PORT: [
    8080,
    "0",
    0,
    [..."65536 -1 http 80.5 0x1F90 1e3 8080.0 080 tcp://a:80".split(" "), " 80 "],
  ],
  DATA_DIR: [resolve("data"), "/a/b", "/a/b", []],
  DATABASE_URL: [
    { kind: "file", file: resolve("data/platform.db") },
    "file:/a/b.db",
    { kind: "file", file: "/a/b.db" },
    [
      ..."mysql:x http://a/b sqlite:a.db file: file://a/b.db".split(" "),
      ..."file:/a/b.db?mode=ro file:a.db#b file:/a/100%.db file:100%.db :memory:".split(" "),
      ..."postgres//a:hunter2@h/d postgresql+x://a:hunter2@h/d a:hunter2@h/d".split(" "),
      ..."/data/a:hunt/er2@h ./x://h".split(" "),
    ],
  ],
  AUDIT_KEY_FILE: [null, "/a/audit.key", "/a/audit.key", ["x".repeat(1001)]],
  ADMIN_USERNAME: ["admin", "eve", "eve", ["x".repeat(101), "a b", "-a", "a\nb"]],
  ADMIN_PASSWORD: [undefined, password, password, ["hunter2-abc", ...badPasswords]],
  SESSION_SECRET: [undefined, "x".repeat(32), "x".repeat(32), ["hunter2".padEnd(31, "x")]],
  SESSION_SECRET_FILE: [null, "/a/session.key", "/a/session.key", ["x".repeat(1001)]],
  SESSION_TTL_SECONDS: [28_800, "600", 600, ["0", "-1", "1.5", "ten", "5m", "1e99", "NaN"]],
  AGENT_OFFLINE_THRESHOLD_SECONDS: [90, "600", 600, ["0"]],
  AGENT_SUPPRESS_AFTER_SECONDS: [900, "600", 600, ["0"]],
  SERVICE_STALE_THRESHOLD_SECONDS: [120, "600", 600, ["0"]],
  AGENT_MAX_SERVICES: [512, "1", 1, ["0", "100001", "many"]],
  AGENT_HEARTBEAT_INTERVAL_SECONDS: [30, "10", 10, ["0"]],
  MAINTENANCE_INTERVAL_SECONDS: [60, "86400", 86_400, ["0", "86401"]],
  COMMAND_TTL_SECONDS: [300, "600", 600, ["0"]],
  COMMAND_RESULT_MAX_BYTES: [1_000_000, "1024", 1024, ["1023", "100000001", "1MB"]],
  REGISTRATION_TOKEN_TTL_SECONDS: [86_400, "0", 0, ["-1", "never"]],
  AUDIT_RETENTION_DAYS: [90, "0", 0, ["-1", "36501"]],
  BUS_EVENT_RETENTION_DAYS: [30, "0", 0, ["36501"]],
  COMMAND_RETENTION_DAYS: [90, "0", 0, ["36501"]],
  SILENT_RETENTION_DAYS: [0, "30", 30, ["36501"]],
  SERVICE_HISTORY_RETENTION_DAYS: [35, "90", 90, ["36501"]],
  CAPSULE_BUS_ENABLED: [false, "true", true, ["yes", "1", "TRUE", "on"]],
  CAPSULE_BUS_INGEST_PER_MIN: [60, "1", 1, ["0", "-1", "1000001", "many"]],
  METRICS_MAX_SERIES: [2000, "0", 0, ["-1", "100001", "all"]],
  MAX_CONNECTIONS: [null, "40000", 40_000, ["15", "-1", "many"]],
  MAX_CONNECTIONS_PER_ADDRESS: [null, "100", 100, ["0", "1e3"]],
  MAX_REQUESTS_PER_SECOND: [200, "0", 0, ["-1", "0.5"]],
  MAX_PENDING_BODY_BYTES: [67_108_864, "8000000", 8_000_000, ["4194303", "64MiB"]],
  MAX_PENDING_OUTPUT_BYTES: [134_217_728, "16000000", 16_000_000, ["1000", "64MiB"]],
  STALLED_OUTPUT_SECONDS: [30, "60", 60, ["0", "3601"]],
  DRAIN_SECONDS: [0, "5", 5, ["-1", "6", "0.5"]],
  WORKSPACE_NAME: ["default", "Plant 7", "Plant 7", ["x".repeat(101)]],
  PUBLIC_URL: [undefined, url, url, ["a.example", "ftp://a.example", "https://", "javascript:1"]],
  ALLOWED_HOSTS: [
    [],
    " A.example, ,10.0.0.5:8080,::1,[2001:DB8:0::1]:80",
    ["a.example", "10.0.0.5", "[::1]", "[2001:db8::1]"],
    [
      ..."https://a.example *.example a.example/x a,b:c a.example;b.example ,".split(" "),
      ...["a b", " , ", " "],
    ],
  ],
  TRUST_PROXY: [
    false,
    "loopback, 10.1.0.0/16,2001:db8::1",
    ["127.0.0.0/8", "::1/128", "10.1.0.0/16", "2001:db8::1/128"],
    [..."1 yes TRUE 10.0.0.0/33 proxy.example loopback;private ,".split(" "), " "],
  ],
  LOG_LEVEL: ["info", "debug", "debug", ["INFO", "verbose"]],
  LOG_FORMAT: [undefined, "pretty", "pretty", ["text"]],
  VERSION: ["1.2.3-dev", "2.0.0", "2.0.0", []],
  COMMIT: [undefined, "a1b2c3d", "a1b2c3d", []],
  BUILD_TIME: [
    undefined,
    time,
    time,
    "yesterday 2026-01-02 2026-01-02T03:04:05+01:00 2026-02-30T00:00:00Z 1767323045".split(" "),
  ],
};

const otherKeys: Record<string, keyof Config> = {
  DATABASE_URL: "database",
  CAPSULE_BUS_ENABLED: "busEnabled",
  CAPSULE_BUS_INGEST_PER_MIN: "busIngestPerMinute",
};

function keyOf(name: string): keyof Config {
  const camelCase = name.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return otherKeys[name] ?? (camelCase as keyof Config);
}

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

test("the table has every part of the configuration", () => {
  const keys = [...Object.keys(settings).map(keyOf), "tls"];
  expect(keys.sort()).toEqual(Object.keys(load()).sort());
});

test.each(Object.entries(settings))(
  "%s has its default, sets only its own value, and refuses bad values with a valid example",
  (name, [byDefault, text, value, bad]) => {
    const key = keyOf(name);
    expect(load()[key]).toEqual(byDefault);
    expect(load({ [name]: text })).toEqual({
      ...load(),
      ...(name === "DATA_DIR" ? { database: { kind: "file", file: "/a/b/platform.db" } } : {}),
      [key]: value,
    });
    for (const wrong of bad) {
      const message = refusalOf({ [name]: wrong });
      const form = /^PLATFORM_(\w+): .+ \(for example: (.+)\)$/.exec(message);
      expect(form?.[1], wrong).toBe(name);
      expect(message).not.toMatch(/\n|hunter2/);
      expect(() => load({ [name]: form?.[2] ?? "" })).not.toThrow();
    }
  },
);

describe("settings that must be consistent", () => {
  const [suppress, offline, heartbeat] = [
    "AGENT_SUPPRESS_AFTER_SECONDS",
    "AGENT_OFFLINE_THRESHOLD_SECONDS",
    "AGENT_HEARTBEAT_INTERVAL_SECONDS",
  ];
  const large = { MAX_PENDING_BODY_BYTES: "7999999", COMMAND_RESULT_MAX_BYTES: "2000000" };

  test.each<[env: Record<string, string>, says: string]>([
    [{ [suppress]: "89" }, `${suppress}: must not be below PLATFORM_${offline}`],
    [{ [offline]: "901" }, `${suppress}: must not be below PLATFORM_${offline}`],
    [{ [offline]: "30" }, `${offline}: must be above PLATFORM_${heartbeat}`],
    [{ [heartbeat]: "90" }, `${offline}: must be above PLATFORM_${heartbeat}`],
    [
      large,
      "MAX_PENDING_BODY_BYTES: must be at least four times PLATFORM_COMMAND_RESULT_MAX_BYTES",
    ],
  ])("%o", (env, says) => {
    expect(refusalOf(env)).toMatch(new RegExp(`^PLATFORM_${says} \\(for example: .+\\)$`));
  });

  test.each([
    { [suppress]: "90" },
    { [offline]: "31" },
    { [offline]: "900" },
    { [heartbeat]: "89" },
  ])("%o is consistent", (env) => {
    expect(() => load(env)).not.toThrow();
  });
});

test.each([
  { env: { DATABASE_URL: "file:///a/b.db" }, file: "/a/b.db" },
  { env: { DATABASE_URL: "file:../b.db" }, file: resolve("../b.db") },
  { env: { DATABASE_URL: "file:/a/b%20c%3F.db" }, file: "/a/b c?.db" },
  { env: { DATABASE_URL: "file:b%20c.db" }, file: resolve("b c.db") },
  { env: { DATABASE_URL: pathToFileURL("/a b/100%20?#.db").href }, file: "/a b/100%20?#.db" },
  { env: { DATABASE_URL: "/a/b%20c?.db" }, file: "/a/b%20c?.db" },
  { env: { DATABASE_URL: "b.db", DATA_DIR: "/d" }, file: resolve("b.db") },
])("the database of $env is $file", ({ env, file }) => {
  expect(load(env).database).toEqual({ kind: "file", file });
});

describe("a PostgreSQL database", () => {
  const keys = { AUDIT_KEY_FILE: "/k/audit.key", SESSION_SECRET_FILE: "/k/session.key" };
  const secret = { AUDIT_KEY_FILE: "/k/audit.key", SESSION_SECRET: "x".repeat(32) };
  const url = "postgres://ada:hunter2@db.example/fleet";

  test.each([
    { DATABASE_URL: url, ...keys },
    { DATABASE_URL: url.replace("postgres:", "postgresql:"), ...keys },
    { DATABASE_URL: url, ...secret },
  ])("is used with %o", (env) => {
    const { database, drainSeconds } = load(env);
    expect(database).toEqual({ kind: "postgresql", url: env.DATABASE_URL });
    // A load balancer must notice that the node stops.
    expect(drainSeconds).toBe(3);
  });

  test.each([
    [{}, "AUDIT_KEY_FILE"],
    [{ SESSION_SECRET: secret.SESSION_SECRET }, "AUDIT_KEY_FILE"],
    [{ SESSION_SECRET_FILE: keys.SESSION_SECRET_FILE }, "AUDIT_KEY_FILE"],
    [{ AUDIT_KEY_FILE: keys.AUDIT_KEY_FILE }, "SESSION_SECRET_FILE"],
  ])("needs two key files, not only %o", (given, missing) => {
    const message = refusalOf({ DATABASE_URL: url, ...given });
    expect(message).toBe(
      `PLATFORM_${missing}: PostgreSQL needs PLATFORM_AUDIT_KEY_FILE and PLATFORM_SESSION_SECRET_FILE, ` +
        "two files that are the same for every server of the database; create each once: " +
        `(umask 077; openssl rand -base64 32 > FILE) (for example: /etc/platform/${missing === "AUDIT_KEY_FILE" ? "audit" : "session"}.key)`,
    );
  });

  test("is refused with what is wrong with its URL, and without the password", () => {
    const message = refusalOf({ DATABASE_URL: "postgres://ada:1/hunter2@h/d", ...keys });
    expect(message).toContain(
      "PLATFORM_DATABASE_URL: has a user name or password in which /, ?, # ",
    );
    expect(message).not.toMatch(/hunter2|ada/);
  });
});

test("the session secret has one source", () => {
  const env = { SESSION_SECRET: "x".repeat(32), SESSION_SECRET_FILE: "/k/session.key" };
  expect(refusalOf(env)).toContain(
    "PLATFORM_SESSION_SECRET_FILE: must not be set together with PLATFORM_SESSION_SECRET (for",
  );
});

test("PLATFORM_TRUST_PROXY can be true, and unknown names are ignored", () => {
  expect(load({ TRUST_PROXY: "true" })).toMatchObject({ trustProxy: true });
  expect(load({ TOKEN: "x", NOTHING: "y" })).toEqual(load());
});

describe("the certificate and the key", () => {
  test("are set together, as absolute paths", () => {
    expect(load().tls).toBeUndefined();
    expect(load({ TLS_CERT_FILE: "a.crt", TLS_KEY_FILE: "/b/a.key" }).tls).toEqual({
      certFile: resolve("a.crt"),
      keyFile: "/b/a.key",
    });
  });

  test.each([
    ["TLS_CERT_FILE", "TLS_KEY_FILE"],
    ["TLS_KEY_FILE", "TLS_CERT_FILE"],
  ])("%s alone is refused, and the message names %s", (given, missing) => {
    const says = `PLATFORM_${missing}: must be set because PLATFORM_${given} is set (for example: `;
    expect(refusalOf({ [given]: "x" })).toContain(says);
  });
});

describe("a bad value has a clear message", () => {
  test.each([
    ["PORT", "x", 'must be a whole number from 0 to 65535, not "x" (for example: 8080)'],
    ["SESSION_TTL_SECONDS", "0", 'must be a whole number from 1 to 3153600000, not "0"'],
    ["SESSION_SECRET", "short", "must have 32 characters or more (for example: "],
    ["ADMIN_PASSWORD", "password1234", "is one of the most common passwords (for example: a"],
    ["ADMIN_USERNAME", "a b", "must begin with a letter or digit and contain only letters, digits"],
    ["DATABASE_URL", "file:/a?b", "must not contain ? or # (for example: file:/"],
    ["DATABASE_URL", "file:/a%b", "is a URL, so write % as %25 (for"],
    ["ALLOWED_HOSTS", ",", 'must not be an empty list: "," (for'],
    ["LOG_LEVEL", "loud", 'must be debug, info, warn, error or silent, not "loud" (for'],
    ["PUBLIC_URL", "agents.example", "must be a URL that begins with https:// or http://"],
    ["PUBLIC_URL", "https://a:hunter2@b", "must not contain a user name or password (for"],
    ["ALLOWED_HOSTS", "a,b c", 'host names or addresses separated by commas; "b c" is neither'],
    ["BUILD_TIME", "now", 'must be a UTC time in ISO 8601, not "now"'],
    ["PORT", "x".repeat(99), `not "${"x".repeat(40)}…" (`],
  ])("%s=%s", (name, value, says) => {
    const message = refusalOf({ [name]: value });
    expect(message).toContain(says);
    expect(message).not.toMatch(/hunter2|Invalid|expected|received|string|NaN/);
  });

  test("the message names the flags that set the value and a related setting", () => {
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
