import { expect, test } from "vitest";
import {
  depthAfter,
  eventTypePattern,
  maxEventDepth,
  receivedEvent,
} from "../../../src/domain/bus/bus-events.ts";

const ours = { id: "bev_1", time: "2026-01-02T03:04:05.678Z" };
const sent = { specversion: "1.0", type: "log.full", source: "log-collector" } as const;

test("a missing id and time are added", () => {
  expect(receivedEvent(sent, ours)).toEqual({ ...sent, ...ours });
  const own = { ...sent, id: "7", time: "2026-01-01T00:00:00Z" };
  expect(receivedEvent(own, ours)).toEqual(own);
});

test("secrets are redacted, at any depth", () => {
  const data = { lines: [{ password: "x", text: "platform_key_abc" }] };
  expect(receivedEvent({ ...sent, data }, ours).data).toEqual({
    lines: [{ password: "[REDACTED]", text: "platform_key_[REDACTED]" }],
  });
});

test("event types are dotted names", () => {
  const valid = ["order", "order.created", "com.example.Order_v2.line-item", "1.2"];
  const others = ["", ".", "order.", ".order", "a..b", "order.*", "a b", "ö", "a/b"];
  expect([...valid, ...others].filter((text) => eventTypePattern.test(text))).toEqual(valid);
});

test("the source is not redacted: it is the code of a service", () => {
  const source = "platform_agent_1";
  expect(receivedEvent({ ...sent, source }, ours).source).toBe(source);
});

test.each([
  { cause: null, depth: 0 },
  { cause: 0, depth: 1 },
  { cause: 1, depth: 2 },
])("an event caused at depth $cause has depth $depth", ({ cause, depth }) => {
  expect(depthAfter(cause)).toBe(depth);
  expect(depth <= maxEventDepth).toBe(depth < 2);
});
