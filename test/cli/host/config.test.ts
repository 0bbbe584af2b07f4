// `platform config`: its output, and the names of flags and variables in errors.

import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { SettingView } from "../../../src/config/describe.ts";
import { variableNames } from "../../../src/config/variables.ts";
import { certificateFiles } from "../../helpers/http/https.ts";
import { cli, failing } from "../world.ts";

const { certFile, keyFile } = certificateFiles("first");

const platform = { io: { program: "platform" } } as const;

test("the table has every setting", async () => {
  const env = { PORT: "81", SESSION_SECRET: "hunter2".repeat(5) };
  const { status, stdout, stderr } = await cli(["config", "--host", "::"], { env, ...platform });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^VARIABLE +VALUE +SOURCE$/);
  expect(lines).toHaveLength(1 + variableNames.length);
  expect(stdout).toMatch(/^PLATFORM_HOST +:: +flag$/m);
  expect(stdout).toMatch(/^PLATFORM_PORT +81 +variable$/m);
  expect(stdout).toMatch(/^PLATFORM_LOG_LEVEL +info +default$/m);
  expect(stdout).toMatch(/^PLATFORM_PUBLIC_URL +- +default$/m);
  expect(stdout).toMatch(/^PLATFORM_SESSION_SECRET +set +variable$/m);
  expect(stdout).toMatch(/^PLATFORM_ADMIN_PASSWORD +not set +default$/m);
  expect(stdout).toMatch(/^PLATFORM_DRAIN_SECONDS +0 +default$/m);
  expect(stdout).not.toContain("hunter2");
});

test("a default that depends on the engine is the one that serve uses", async () => {
  const keys = { AUDIT_KEY_FILE: "/a.key", SESSION_SECRET_FILE: "/s.key" };
  const env = { ...keys, DATABASE_URL: "postgres://u@h/d" };
  const { stdout } = await cli(["config"], { env, ...platform });
  expect(stdout).toMatch(/^PLATFORM_DRAIN_SECONDS +3 +default$/m);
});

test("each flag overrides its variable", async () => {
  const flags = [
    ["--port", "0", "PORT", 0],
    ["--data-dir", "d", "DATA_DIR", resolve("d")],
    ["--tls-cert", certFile, "TLS_CERT_FILE", certFile],
    ["--tls-key", keyFile, "TLS_KEY_FILE", keyFile],
    ["--public-url", "https://a.example", "PUBLIC_URL", "https://a.example"],
    ["--allowed-hosts", "a,b:80", "ALLOWED_HOSTS", "a,b"],
    ["--trust-proxy", "loopback", "TRUST_PROXY", "127.0.0.0/8,::1/128"],
    ["--log-format", "pretty", "LOG_FORMAT", "pretty"],
  ] as const;
  const env = Object.fromEntries(flags.map(([, , name]) => [name, "1"]));
  const words = flags.map(([flag, text]) => `${flag}=${text}`);
  const { stdout } = await cli(["config", ...words, "-o", "json"], { env, ...platform });
  const settings: SettingView[] = JSON.parse(stdout);
  for (const [, , name, value] of flags) {
    const variable = `PLATFORM_${name}`;
    const found = settings.find((setting) => setting.variable === variable);
    expect(found).toEqual({ variable, value, source: "flag" });
  }
});

test.each<[words: string[], env: Record<string, string>, says: string]>([
  [["--tls-cert", "/a.crt"], {}, "--tls-key: must be set because --tls-cert is set "],
  [
    [],
    { TLS_CERT_FILE: "/a.crt" },
    "PLATFORM_TLS_KEY_FILE: must be set because PLATFORM_TLS_CERT_FILE is set ",
  ],
  [
    ["--tls-cert", "/nowhere/a.crt"],
    { TLS_KEY_FILE: keyFile },
    "--tls-cert: /nowhere/a.crt cannot be read: it does not exist ",
  ],
])("the flags %j with the variables %j are refused, as by serve", async (words, env, says) => {
  for (const command of ["config", "serve"]) {
    const ran = await cli([command, ...words], { env, ...platform });
    expect(ran).toMatchObject(failing(2, `platform: ${says}(for example: `));
  }
});

test("a mistyped variable causes a warning on stderr", async () => {
  const { status, stdout, stderr } = await cli(["config", "-o", "name"], { env: { PROT: "81" } });
  expect(status).toBe(0);
  expect(stdout.trimEnd().split("\n")).toEqual(variableNames.map((name) => `PLATFORM_${name}`));
  expect(stderr).toBe("PLATFORM_PROT is not a setting; did you mean PLATFORM_PORT?\n");
});
