// Secrets are hidden wherever a payload is shown.

import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { exchangeSecrets, secretMarks, shownPayload } from "../../../src/domain/secrets/hidden.ts";

const text = { type: "string" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const shown = (payload: JsonObject, schema: JsonObject) =>
  shownPayload(payload, secretMarks(schema), "***");

test("secrets are hidden wherever the schema marks them", () => {
  const pin = { ...text, format: "password" };
  const schema = object(
    {
      pin,
      list: { type: "array", items: object({ key: { ...text, writeOnly: true } }) },
      via: { oneOf: [object({ a: text }), object({ pin })] },
    },
    { additionalProperties: { writeOnly: true } },
  );
  const payload = { pin: "1", list: [{ key: "2", n: 3 }], via: { pin: "4", a: "5" }, extra: 6 };
  expect(shown(payload, schema)).toEqual({
    pin: "***",
    list: [{ key: "***", n: 3 }],
    via: { pin: "***", a: "5" },
    extra: "***",
  });
  expect(shown({ a: "1", b: 2 }, { writeOnly: true })).toEqual({ a: "***", b: "***" });
});

test("secrets are hidden by their names, through references, and by their form", () => {
  const schema = {
    properties: { pin: { $ref: "#/$defs/pin" }, reset: { type: "boolean" } },
    $defs: { pin: { writeOnly: true } },
  };
  const payload = {
    pin: 1,
    password: "2",
    apiKey: 3,
    resetPassword: true,
    maxTokens: 4,
    note: "5",
  };
  const url = "postgres://app:6@db/x";
  expect(shown({ ...payload, url, login: { token: "7" } }, schema)).toEqual({
    ...{ pin: "***", password: "***", apiKey: "***", resetPassword: true, maxTokens: 4 },
    ...{ note: "5", url: "postgres://app:[REDACTED]@db/x", login: { token: "***" } },
  });
  expect(schema).not.toHaveProperty("__absolute_uri__");
});

test("everything is hidden if the schema is too large to read", () => {
  const anyOf = Array.from({ length: 30_000 }, () => ({ title: "x" }));
  const endless = { properties: { a: { $ref: "#" } }, anyOf, writeOnly: false };
  expect(shown({ a: "secret?" }, endless)).toEqual({ a: "***" });
});

test("for editing, each secret has a placeholder of its own, also within a text", () => {
  const payload = { password: "hunter2", list: [{ token: 5 }], url: "https://a:b@c", note: "n" };
  const exchanged = exchangeSecrets(payload, secretMarks({}), (index) => `#${index}`);
  expect(exchanged).toEqual({
    payload: { password: "#0", list: [{ token: "#1" }], url: "#2", note: "n" },
    secrets: ["hunter2", 5, "https://a:b@c"],
  });
});
