import { expect, it, test } from "vitest";
import { leftOutOf, retryName } from "../../../src/domain/rollouts/rollouts.ts";

test("of the services left out, all are counted by reason, and the first are named", () => {
  const all = Array.from({ length: 50 }, (_, n) => ({
    ...{ serviceId: `svc_${n}`, serviceCode: `web-${n}`, agentId: "agt_1", agentCode: "edge-1" },
    ...{ code: n < 10 ? "PAYLOAD_INVALID" : "AGENT_OFFLINE", message: "x".repeat(5000) },
  }));
  const { total, reasons, services } = leftOutOf(all);
  expect({ total, reasons }).toEqual({
    total: 50,
    reasons: [
      { code: "AGENT_OFFLINE", count: 40 },
      { code: "PAYLOAD_INVALID", count: 10 },
    ],
  });
  expect(services).toHaveLength(20);
  expect(JSON.stringify(services).length).toBeLessThan(20_000);
});

it.each([
  ["nightly", "nightly (retry)"],
  ["nightly (retry)", "nightly (retry 2)"],
  ["nightly (retry 9)", "nightly (retry 10)"],
  ["x".repeat(200), `${"x".repeat(191)}… (retry)`],
])("the retry of %s is %s", (name, retry) => {
  expect(retryName(name)).toBe(retry);
});
