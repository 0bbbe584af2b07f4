import { expect, test } from "vitest";
import { sentEvent } from "../../../src/api/bus/event-schemas.ts";

const least = { type: "log.full", source: "log-collector" };
const parsed = { specversion: "1.0", ...least };

const every = {
  id: "1",
  time: "2026-01-02T03:04:05Z",
  subject: "app.log",
  datacontenttype: "application/json",
  causationid: "cmd_1",
  correlationid: "7",
};
const own = { traceparent: "00-1", attempt: 2, urgent: false };
const withOffset = { time: "2026-01-02T03:04:05.123+02:00" };

test.each<[what: string, sent: object, kept?: object]>([
  ["the minimum", {}, {}],
  ["with the version", { specversion: "1.0" }, {}],
  ["every attribute", every],
  ["data that is an object", { data: { a: [1] } }],
  ["data that is not an object", { data: "text" }],
  ["null attributes, which count as absent", { id: null, subject: null, traceparent: null }, {}],
  ["a null version, which counts as absent", { specversion: null }, {}],
  ["the publisher's own attributes", own],
  [
    "ignored fields whose names are not valid attribute names",
    { "my-field": 1, camelCase: {}, _: [], Id: 7 },
    {},
  ],
  ["an offset in the time", withOffset],
  ["an id with complete characters", { id: "é e\u0301 \u{1f600}" }],
  ["an id that only resembles a token", { id: "platform_key" }],
  ["an id of 200 characters", { id: "x".repeat(200) }],
])("valid: %s", (_what, sent, kept = sent) => {
  expect(sentEvent.parse({ ...least, ...sent })).toEqual({ ...parsed, ...kept });
});

test.each<[what: string, sent: object, path: string]>([
  ["another version", { specversion: "0.3" }, "specversion"],
  ["no type", { type: undefined }, "type"],
  ["a type that is not a dotted name", { type: "log full" }, "type"],
  ["a type pattern", { type: "log.*" }, "type"],
  ["no source", { source: undefined }, "source"],
  ["a source that is a URI", { source: "https://example.com/x" }, "source"],
  ["an empty id", { id: "" }, "id"],
  ["an id of 201 characters", { id: "x".repeat(201) }, "id"],
  ["an id that is a number", { id: 7 }, "id"],
  // Redaction would give different events the same id.
  ["an id that looks like a token", { id: "platform_key_17" }, "id"],
  ["an id with half a character", { id: "a\ud800" }, "id"],
  ["a type that looks like a token", { type: "x.platform_agent_restarted" }, "type"],
  ["a time without an offset", { time: "2026-01-02T03:04:05" }, "time"],
  ["a cause that is an object", { causationid: {} }, "causationid"],
  ["binary data", { data_base64: "aGk=" }, "data_base64"],
  ["an attribute that is an object", { traceparent: {} }, "traceparent"],
  ["an attribute that is a fraction", { attempt: 1.5 }, "attempt"],
  ["an attribute of more than 32 bits", { attempt: 2 ** 31 }, "attempt"],
  ["an attribute of 2001 characters", { traceparent: "x".repeat(2001) }, "traceparent"],
])("invalid: %s", (_what, sent, path) => {
  const { error } = sentEvent.safeParse({ ...least, ...sent });
  expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
});

test.each([null, [], "log.full", 7, [least]])("%j is not an event", (sent) => {
  expect(sentEvent.safeParse(sent).success).toBe(false);
});
