import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { describeConfig, type SettingView } from "../../src/config/describe.ts";
import { variableNames } from "../../src/config/variables.ts";
import { certificateFiles } from "../helpers/http/https.ts";

async function described(
  env: Record<string, string> = {},
  flags: Record<string, string> = {},
): Promise<Record<string, SettingView>> {
  const settings = await describeConfig(env, flags, "1.2.3");
  return Object.fromEntries(settings.map((setting) => [setting.variable.slice(9), setting]));
}

test("a flag takes precedence over a variable, and a variable over the default", async () => {
  const settings = await described({ PORT: "81", HOST: "::" }, { PORT: "82" });
  expect(settings.PORT).toEqual({ variable: "PLATFORM_PORT", value: 82, source: "flag" });
  expect(settings.HOST).toMatchObject({ value: "::", source: "variable" });
  expect(settings.LOG_LEVEL).toMatchObject({ value: "info", source: "default" });
  expect(settings.PUBLIC_URL).toMatchObject({ value: null, source: "default" });
});

test("every setting is listed, with its effective value", async () => {
  const { certFile, keyFile } = certificateFiles("first");
  const settings = await described({
    DATA_DIR: "d",
    TLS_CERT_FILE: relative("", certFile),
    TLS_KEY_FILE: relative("", keyFile),
    TRUST_PROXY: "loopback",
    ALLOWED_HOSTS: "A:80,::1",
  });
  expect(Object.keys(settings)).toEqual(variableNames);
  expect(Object.values(settings).map(({ value }) => value)).not.toContain(undefined);
  expect(settings).toMatchObject({
    DATA_DIR: { value: resolve("d") },
    DATABASE_URL: { value: pathToFileURL("d/platform.db").href, source: "default" },
    TLS_CERT_FILE: { value: certFile },
    TLS_KEY_FILE: { value: keyFile },
    TRUST_PROXY: { value: "127.0.0.0/8,::1/128" },
    ALLOWED_HOSTS: { value: "a,[::1]" },
    VERSION: { value: "1.2.3-dev" },
  });
});

test("a secret is shown only as set or not set", async () => {
  const secrets = { ADMIN_PASSWORD: "hunter2-hunter2", SESSION_SECRET: "hunter2".repeat(5) };
  const settings = await described(secrets);
  expect(JSON.stringify(settings)).not.toContain("hunter2");
  expect(settings.ADMIN_PASSWORD).toMatchObject({ value: "set", source: "variable" });
  expect(settings.SESSION_SECRET).toMatchObject({ value: "set", source: "variable" });
  expect((await described()).SESSION_SECRET).toMatchObject({ value: "not set", source: "default" });
});

test("settings that the server would refuse are refused", async () => {
  const { certFile } = certificateFiles("first");
  const { keyFile } = certificateFiles("second");
  for (const [env, says] of [
    [{ PORT: "x" }, /^PLATFORM_PORT: /],
    [{ AGENT_OFFLINE_THRESHOLD_SECONDS: "1" }, /must be above/],
    [{ ADMIN_PASSWORD: "password1234" }, /^PLATFORM_ADMIN_PASSWORD: is one of the most common/],
    [{ TLS_CERT_FILE: "/nope", TLS_KEY_FILE: keyFile }, /^PLATFORM_TLS_CERT_FILE: \/nope cannot/],
    [
      { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile },
      /^PLATFORM_TLS_KEY_FILE: .* is not the key/,
    ],
  ] as const) {
    await expect(described(env)).rejects.toThrow(says);
  }
});
