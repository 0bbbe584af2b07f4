import { expect, test } from "vitest";
import {
  agentCodeScopePattern,
  agentModePattern,
  codePattern,
  isCodeInScope,
  offlineReasonOf,
  statusWhenEnabled,
} from "../../../src/domain/fleet/agents.ts";

test.each([
  [0, "ONLINE"],
  [90_000, "ONLINE"],
  [90_001, "OFFLINE"],
  [-5, "ONLINE"],
  [null, "OFFLINE"],
])("an agent that is enabled %j ms after its last call is %s", (silentMs, status) => {
  const now = 1_000_000;
  const lastHeartbeatAt = silentMs === null ? null : now - silentMs;
  const well = { hasActiveToken: true, lastHeartbeatAt, stoppedAt: null };
  const enabled = (facts: object) =>
    statusWhenEnabled({ ...well, ...facts }, now, { offlineMs: 90_000 });
  expect(enabled({})).toBe(status);
  expect(enabled({ hasActiveToken: false })).toBe("OFFLINE");
  expect(enabled({ stoppedAt: now })).toBe("OFFLINE");
});

test.each([
  [{}, null],
  [{ status: "DISABLED", hasActiveToken: false, hasStopped: true }, "DISABLED"],
  [{ hasActiveToken: false }, "TOKEN_REVOKED"],
  [{ status: "OFFLINE", hasActiveToken: false, hasStopped: true }, "TOKEN_REVOKED"],
  [{ status: "OFFLINE", hasStopped: true }, "STOPPED"],
  [{ status: "OFFLINE" }, "SILENT"],
] as const)("the offline reason of %j is %j", (facts, reason) => {
  const well = { status: "ONLINE", hasActiveToken: true, hasStopped: false } as const;
  expect(offlineReasonOf({ ...well, ...facts })).toBe(reason);
});

test.each<[scope: string, within: string[], without: string[]]>([
  ["edge-7", ["edge-7"], ["edge-70", "edge-", "Edge-7"]],
  ["edge-*", ["edge-7", "edge-"], ["edge", "xedge-7"]],
  ["e*", ["e", "edge"], ["f"]],
])("a token for %s admits matching codes only", (scope, within, without) => {
  expect(scope).toMatch(agentCodeScopePattern);
  for (const code of within) expect(isCodeInScope(code, scope)).toBe(true);
  for (const code of without) expect(isCodeInScope(code, scope)).toBe(false);
});

test.each(["*", "", "-edge", "ed*ge", "edge-**", "edge 7", `${"x".repeat(128)}*`])(
  "%j does not name any agents",
  (scope) => expect(scope).not.toMatch(agentCodeScopePattern),
);

test.each([
  [
    codePattern,
    ["a", "A.b_c:d-9", "9", "x".repeat(128)],
    ["", "-a", "a b", "a/b", "ä", "x".repeat(129)],
  ],
  [
    agentModePattern,
    ["sidecar", "a", "a_b-9", "x".repeat(32)],
    ["", "9a", "Sidecar", "x".repeat(33)],
  ],
])("only valid names match %s", (pattern, good, bad) => {
  expect(good.filter((text) => !pattern.test(text))).toEqual([]);
  expect(bad.filter((text) => pattern.test(text))).toEqual([]);
});
