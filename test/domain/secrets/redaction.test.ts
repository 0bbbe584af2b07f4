import { expect, test } from "vitest";
import { mintToken } from "../../../src/domain/access/credentials.ts";
import type { ConfigEntry } from "../../../src/domain/fleet/services.ts";
import { jsonMaxDepth } from "../../../src/domain/limits.ts";
import {
  redact,
  redactConfig,
  redacted,
  redactOwnTokens,
  redactPrepared,
  redactText,
} from "../../../src/domain/secrets/redaction.ts";

const ownToken = mintToken("agent", (bytes) => bytes.fill(7));

test.each([
  ...["token", "accessToken", "TOKEN_COUNT", "secret", "client-secret", "password", "passwd"],
  ...["Cookie", "Authorization", "apikey", "api_key", "api-key", "private_key", "privateKey"],
  ...["generatedKey", "credentials", "rawKey", "raw_key", "plainTextKey", "plaintext-key"],
  ...["PLAIN_TEXT_KEYS", "secondaryAccessKey", "AWS_SECRET_ACCESS_KEY", "signingKey", "pwd"],
  ...["dbPwd", "MYSQL_PWD", "userpwd", "passphrase", "sshKeyPassphrase", "dsn", "sentryDsn"],
  ...["DATABASE_DSN", "dsn-url"],
])("any value under %j is hidden", (key) => {
  for (const value of ["hunter2", 7, false, ["a"], { plain: "hunter2" }]) {
    expect(redact({ [key]: value })).toEqual({ [key]: redacted });
  }
});

test.each([
  ...["key", "name", "monkey", "publicKey", "code", "pass", "author", "accessKeyId"],
  ...["rawKeyboard", "drawKey", "plainText", "sortKeys", "fieldsName", "goodsNote"],
  ...["adsNetwork", "PWD", "OLDPWD", "cwd"],
])("a value under %j is kept", (key) => {
  expect(redact({ [key]: "hunter2" })).toEqual({ [key]: "hunter2" });
});

test.each([
  ["postgres://app:hunter2@db:5432/x?ssl=1", "postgres://app:[REDACTED]@db:5432/x?ssl=1"],
  ["redis://:hunter2@cache", "redis://:[REDACTED]@cache"],
  ["to amqp://a:b@c and http://d:p@ss@e/.", "to amqp://a:[REDACTED]@c and http://d:[REDACTED]@e/."],
  ["jdbc:mysql://root:hunter%402@db/x", "jdbc:mysql://root:[REDACTED]@db/x"],
])("the password is removed from a URL: %j becomes %j", (text, clean) => {
  expect(redactText(text)).toBe(clean);
  expect(redactText(clean)).toBe(clean);
  expect(redact({ deep: [{ text }] })).toEqual({ deep: [{ text: clean }] });
});

test.each([
  "http://localhost:8080/logo@2x.png",
  "docker://registry:5000/app@sha256:0123",
  "ssh://git@host:22/repository",
  "http://[::1]:8080/",
  "mailto:ada@example.com, see https://example.com:443",
  '{"url":"http://host:80","mail":"ada@example.com"}',
])("text without a password in a URL is unchanged: %j", (text) => {
  expect(redactText(text)).toBe(text);
});

test("patterns in a schema do not count as URLs and are unchanged", () => {
  const actions = [{ inputSchema: { pattern: "^https?://[^:]+:[^@]+@.*$" } }];
  expect(redactOwnTokens(actions)).toEqual(actions);
  const prepared = { inputSchema: { properties: { url: actions[0]!.inputSchema } } };
  expect(redactPrepared(prepared)).toEqual(prepared);
});

test("a URL with a password is removed from a prepared payload", () => {
  const initialPayload = { database: "postgres://app:hunter2@db", level: "info" };
  expect(redactPrepared({ initialPayload })).toEqual({ initialPayload: { level: "info" } });
});

test("secrets are redacted at any depth, including lists", () => {
  const nest = (value: unknown) => {
    let nested = value;
    for (let depth = 0; depth < jsonMaxDepth; depth++) nested = depth % 2 ? [nested] : { nested };
    return nested;
  };
  expect(redact(nest({ password: "hunter2" }))).toEqual(nest({ password: redacted }));
});

test.each([
  [ownToken, "platform_agent_[REDACTED]"],
  [`Bearer ${ownToken}, and so on`, "Bearer platform_agent_[REDACTED], and so on"],
  ["platform_reg_abc platform_key_Z9", "platform_reg_[REDACTED] platform_key_[REDACTED]"],
  ["platform_agent", "platform_agent"],
])("the text %j becomes %j", (text, clean) => {
  expect(redactText(text)).toBe(clean);
  expect(redact({ deep: [{ [text]: text }] })).toEqual({ deep: [{ [clean]: clean }] });
});

test("in the server's own texts, only tokens are redacted", () => {
  const note = "platform_agent_[REDACTED]";
  expect(redactOwnTokens({ tokenCount: 3, note: ownToken })).toEqual({ tokenCount: 3, note });
});

test("redaction returns a copy, in which null stays null", () => {
  const sent = { token: "a", list: [{ token: "b" }, { token: null }] };
  expect(redact(sent)).toMatchObject({ list: [{ token: redacted }, { token: null }] });
  expect(sent).toEqual({ token: "a", list: [{ token: "b" }, { token: null }] });
});

const entry: ConfigEntry = { key: "LEVEL", type: "string", editable: true, sensitive: false };

test.each<[title: string, sent: Partial<ConfigEntry>, kept: Partial<ConfigEntry>]>([
  ["a plain value", { valuePreview: "info" }, { valuePreview: "info" }],
  ["a secret's name", { key: "DB_PASSWORD", valuePreview: "x" }, { valuePreview: redacted }],
  ["a secret default", { key: "API_KEY", defaultValue: 1 }, { defaultValue: redacted }],
  ["null under a secret's name", { key: "API_KEY", valuePreview: null }, { valuePreview: null }],
  ["a reference", { key: "API_KEY", secretRef: "vault:a" }, { secretRef: "vault:a" }],
  ["secrets inside", { valuePreview: { token: "x" } }, { valuePreview: { token: redacted } }],
])("a configuration entry is redacted if needed: %s", (_title, sent, kept) => {
  expect(redactConfig({ ...entry, ...sent })).toEqual({ ...entry, ...sent, ...kept });
});

test("a prepared form keeps secret fields, but not their values", () => {
  const form = {
    type: "object",
    required: ["password", "level"],
    properties: {
      password: { type: "string", title: "New password", minLength: 12, default: "hunter2" },
      tokenType: { type: "string", enum: ["bearer", "mac"], const: "mac" },
      login: { type: "object", properties: { token: { type: "string", examples: ["hunter2"] } } },
      level: { type: "string", default: "info", enum: ["info", "debug"] },
    },
    default: { password: "hunter2", level: "info" },
  };
  const prepared = redactPrepared({
    inputSchema: form,
    initialPayload: { password: "hunter2", level: "info" },
    currentState: { apiKey: "hunter2", files: 3 },
  });
  expect(prepared).toEqual({
    inputSchema: {
      ...form,
      properties: {
        password: { type: "string", title: "New password", minLength: 12 },
        tokenType: form.properties.tokenType,
        login: { type: "object", properties: { token: { type: "string" } } },
        level: form.properties.level,
      },
      default: { level: "info" },
    },
    initialPayload: { level: "info" },
    currentState: { apiKey: redacted, files: 3 },
  });
  expect(JSON.stringify(prepared)).not.toContain("hunter");
});

test.each([
  [{ password: "a" }, { password: redacted }],
  ["plain", "plain"],
  [undefined, undefined],
  [{ inputSchema: true }, { inputSchema: true }],
])("the output %j of a prepare is redacted like any other output", (output, clean) => {
  expect(redactPrepared(output)).toEqual(clean);
});
