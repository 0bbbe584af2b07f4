// Which values in a payload are secret, by name, form and schema.

import { describe, expect, test } from "vitest";
import { mintToken } from "../../../src/domain/access/credentials.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import {
  wholePayload,
  withholdAgain,
  withholdSecrets,
} from "../../../src/domain/secrets/payload-secrets.ts";
import { redacted } from "../../../src/domain/secrets/redaction.ts";

const ownToken = mintToken("registration", (bytes) => bytes.fill(7));
const secret = { writeOnly: true };

/** Returns the pointers to the secrets, and checks that the parts result in the whole payload. */
function placesOf(payload: JsonObject, schema: JsonObject = {}): string[] {
  const before = structuredClone(payload);
  const parts = withholdSecrets(payload, schema);
  expect(payload).toEqual(before);
  expect(wholePayload(parts)).toEqual(payload);
  if (parts.withheld.length === 0) expect(parts.payload).toEqual(payload);
  return parts.withheld;
}

describe("secrets without a schema", () => {
  test.each<[payload: JsonObject, places: string[]]>([
    [{}, []],
    [{ password: "a" }, ["/password"]],
    [{ user: { "a/b~c": { apiKey: "a" } } }, ["/user/a~1b~0c/apiKey"]],
    [{ users: [{ name: "a" }, { name: "b", pwd: "c" }] }, ["/users/1/pwd"]],
    [{ credentials: { user: "a", pass: "b" } }, ["/credentials"]],
    [{ pinToken: 1234 }, ["/pinToken"]],
    [{ url: "postgres://a:b@c", note: `use ${ownToken}` }, ["/url", "/note"]],
    [{ resetPassword: true, token: null, secret: "", apiKey: redacted }, []],
    [{ maxTokens: 4096, passwordLength: 12, tokenCount: 3 }, []],
    [{ max_tokens: 4096, TOKEN_TTL_SECONDS: 60, tokenTTLSeconds: 60, "tokens-per-day": 9 }, []],
    ...["adminPassword", "operatorPwd", "accountPassword", "ADMIN_PASSWORD", "personalToken"].map(
      (name): [JsonObject, string[]] => [{ [name]: 12345678 }, [`/${name}`]],
    ),
  ])("%j", (payload, places) => expect(placesOf(payload)).toEqual(places));

  test("the shown payload keeps everything except the secrets", () => {
    const { payload } = withholdSecrets({ url: "postgres://a:b@c", level: "info", pwd: "d" }, {});
    expect(payload).toEqual({ url: `postgres://a:${redacted}@c`, level: "info", pwd: redacted });
  });
});

describe("secrets that the schema marks", () => {
  const pin = { properties: { pin: secret } };
  test.each<[what: string, schema: JsonObject, payload: JsonObject, places: string[]]>([
    ["writeOnly", pin, { pin: "1", name: "a" }, ["/pin"]],
    ["format", { properties: { pin: { format: "password" } } }, { pin: 1 }, ["/pin"]],
    ["a boolean", pin, { pin: true }, ["/pin"]],
    ["no value", pin, { pin: null }, []],
    ["items", { properties: { a: { items: secret } } }, { a: ["1", "2"] }, ["/a/0", "/a/1"]],
    ["a tuple", { properties: { a: { prefixItems: [{}, secret] } } }, { a: ["1", "2"] }, ["/a/1"]],
    ["allOf", { allOf: [{}, pin] }, { pin: "1" }, ["/pin"]],
    ["one of several", { anyOf: [{ properties: { pin: {} } }, pin] }, { pin: "1" }, ["/pin"]],
    ["a condition", { if: {}, else: pin }, { pin: "1" }, ["/pin"]],
    ["a reference", { $ref: "#/$defs/a", $defs: { a: pin } }, { pin: "1" }, ["/pin"]],
    [
      "an anchor",
      { properties: { a: { $ref: "#s" } }, $defs: { b: { $anchor: "s", ...secret } } },
      { a: "1" },
      ["/a"],
    ],
    [
      "a dependency",
      { dependencies: { a: { properties: { pin: secret } }, b: ["a"] } },
      { a: 1, pin: "1" },
      ["/pin"],
    ],
    [
      "a recursive reference",
      { properties: { pin: secret, inner: { $recursiveRef: "#" } } },
      { inner: { pin: "1" } },
      ["/inner/pin"],
    ],
    [
      "a recursive reference to an inner schema",
      {
        properties: {
          a: { $recursiveAnchor: true, properties: { pin: secret, b: { $recursiveRef: "#" } } },
        },
      },
      { a: { b: { pin: "1" } } },
      ["/a/b/pin"],
    ],
    ["a reference to the schema itself", { $ref: "#", ...pin }, { pin: "1" }, ["/pin"]],
    ["extras", { properties: { a: {} }, additionalProperties: secret }, { a: "1", b: "2" }, ["/b"]],
    ["patterns", { patternProperties: { "^x": secret } }, { x: "1" }, ["/x"]],
    ["the whole payload", secret, { a: "1", b: 2 }, ["/a", "/b"]],
    ["a property's name", { properties: { writeOnly: {} } }, { writeOnly: "1" }, []],
    ["a sample", { properties: { a: { default: { writeOnly: true } } } }, { a: "1" }, []],
  ])("%s", (_what, schema, payload, places) => {
    expect(placesOf(payload, schema)).toEqual(places);
  });
});

test("if the schema cannot be read, or cannot be read in time, everything is secret", () => {
  const broken = { properties: { a: { $ref: "http://[" } }, writeOnly: false };
  expect(placesOf({ a: "1", b: [1] }, broken)).toEqual(["/a", "/b"]);
  // Each position in the payload has its own set of schemas.
  const steps: Json[] = Array.from({ length: 400 }, (_, index) => ({
    properties: { [`k${index}`]: { $ref: "#" } },
    additionalProperties: { properties: { n: { $ref: "#" } } },
  }));
  const slow = { allOf: steps, properties: { pin: secret } };
  const payload: JsonObject = { pin: "1" };
  for (let index = 0; index < 4000; index++)
    payload[`k${index % 400}n${index}`] = { n: { n: index } };
  expect(placesOf(payload, slow)).toContain("/pin");
});

test("of several schemas, each finds what it marks, and follows its own references", () => {
  const by = (name: string) => ({
    properties: { [name]: { $ref: "#/$defs/hidden" } },
    $defs: { hidden: { writeOnly: true } },
  });
  const parts = withholdSecrets({ a: "1", b: { c: "2" }, d: "3" }, by("a"), {}, by("b"));
  expect(parts).toEqual({
    payload: { a: "[REDACTED]", b: "[REDACTED]", d: "3" },
    withheld: ["/a", "/b"],
    secrets: ["1", { c: "2" }],
  });
});

describe("secrets of the source", () => {
  const shown = { payload: { pin: redacted, url: "postgres://a:[REDACTED]@c", at: 1 } };
  const places = { ...shown, withheld: ["/pin", "/url"] };

  test.each<[payload: JsonObject, payload: JsonObject]>([
    [
      { pin: "a", url: "postgres://a:b@c", at: 1 },
      { pin: redacted, url: "postgres://a:[REDACTED]@c", at: 1 },
    ],
    [
      { pin: "postgres://a:b@c", url: "other", at: 1 },
      { pin: redacted, url: redacted, at: 1 },
    ],
    [
      { pin: { a: [1] }, at: 1 },
      { pin: redacted, at: 1 },
    ],
    [{ at: 1 }, { at: 1 }],
  ])("%j is shown as %j", (payload, expected) => {
    const parts = withholdAgain(payload, places, {});
    expect(parts.payload).toEqual(expected);
    expect(wholePayload(parts)).toEqual(payload);
  });

  test("are withheld as well as those of the schema", () => {
    const items = { payload: { list: ["a", redacted] }, withheld: ["/list/1"] };
    const schema = { properties: { pin: secret } };
    const { withheld } = withholdAgain({ list: ["a", "b"], pin: "c" }, items, schema);
    expect(withheld).toEqual(["/list/1", "/pin"]);
  });
});
