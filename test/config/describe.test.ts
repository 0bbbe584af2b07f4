// What `platform config` tells, and whether the manual tells the same.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { describeConfig, type SettingView } from "../../src/config/describe.ts";
import {
  commandLineVariables,
  type Variable,
  variableNames,
  variables,
} from "../../src/config/variables.ts";

function described(
  env: Record<string, string> = {},
  flags: Record<string, string> = {},
): Record<string, SettingView> {
  const settings = describeConfig(env, flags, "1.2.3");
  return Object.fromEntries(settings.map((setting) => [setting.variable.slice(9), setting]));
}

test("flag beats variable beats default", () => {
  const settings = described({ PORT: "81", HOST: "::" }, { PORT: "82" });
  expect(settings.PORT).toEqual({ variable: "PLATFORM_PORT", value: 82, source: "flag" });
  expect(settings.HOST).toMatchObject({ value: "::", source: "variable" });
  expect(settings.LOG_LEVEL).toMatchObject({ value: "info", source: "default" });
  expect(settings.PUBLIC_URL).toMatchObject({ value: null, source: "default" });
});

test("every setting is there, with what it means", () => {
  const settings = described({
    DATA_DIR: "d",
    TLS_CERT_FILE: "a.crt",
    TLS_KEY_FILE: "a.key",
    TRUST_PROXY: "loopback",
    ALLOWED_HOSTS: "A:80,::1",
  });
  expect(Object.keys(settings)).toEqual(variableNames);
  expect(Object.values(settings).map(({ value }) => value)).not.toContain(undefined);
  expect(settings).toMatchObject({
    DATA_DIR: { value: resolve("d") },
    DATABASE_URL: { value: `file:${resolve("d/platform.db")}`, source: "default" },
    TLS_CERT_FILE: { value: resolve("a.crt") },
    TLS_KEY_FILE: { value: resolve("a.key") },
    TRUST_PROXY: { value: "127.0.0.0/8,::1/128" },
    ALLOWED_HOSTS: { value: "a,[::1]" },
    VERSION: { value: "1.2.3-dev" },
  });
});

test("of a secret it is only told whether there is one", () => {
  const secrets = { ADMIN_PASSWORD: "hunter2-hunter2", SESSION_SECRET: "hunter2".repeat(5) };
  const settings = described(secrets);
  expect(JSON.stringify(settings)).not.toContain("hunter2");
  expect(settings.ADMIN_PASSWORD).toMatchObject({ value: "set", source: "variable" });
  expect(settings.SESSION_SECRET).toMatchObject({ value: "set", source: "variable" });
  expect(described().SESSION_SECRET).toMatchObject({ value: "not set", source: "default" });
});

test("what the start refuses is refused", () => {
  expect(() => described({ PORT: "x" })).toThrow(/^PLATFORM_PORT: /);
  expect(() => described({ AGENT_OFFLINE_THRESHOLD_SECONDS: "1" })).toThrow(/must be above/);
});

test("docs/configuration.md has every variable with its default, and no other", () => {
  const manual = readFileSync(
    new URL("../../docs/configuration.md", import.meta.url).pathname,
    "utf8",
  );
  const rows = manual
    .split("\n")
    .map((line) => line.split(" | "))
    .filter(([name, ...more]) => name?.startsWith("| `PLATFORM_") && more.length === 2);
  const told = rows.flatMap(([names = "", byDefault = ""]) =>
    [...names.matchAll(/`PLATFORM_(\w+)`/g)].map(([, name = ""]) => [name, byDefault] as const),
  );
  const server = told.filter(([name]) => !isOfCommandLine(name));
  expect(server.map(([name]) => name).sort()).toEqual([...variableNames].sort());
  for (const [name, text] of server) {
    const { byDefault }: Variable<unknown> = variables[name as keyof typeof variables];
    const code = /^`([^`]+)`$/.exec(text)?.[1];
    expect([name, code]).toEqual([name, byDefault]);
  }
  const ofCommandLine = told.map(([name]) => name).filter(isOfCommandLine);
  expect(ofCommandLine.sort()).toEqual([...commandLineVariables].sort());
});

function isOfCommandLine(name: string): boolean {
  return (commandLineVariables as readonly string[]).includes(name);
}
