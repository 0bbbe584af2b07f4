// Agents: the status after being enabled again, and what their names may look like.

import { expect, test } from "vitest";
import {
  agentModePattern,
  codePattern,
  offlineReasonOf,
  statusWhenEnabled,
} from "../../src/domain/agents.ts";

test.each([
  [0, "ONLINE"],
  [90_000, "ONLINE"],
  [90_001, "OFFLINE"],
  [-5, "ONLINE"],
  [null, "OFFLINE"],
])("enabled %j ms after the last sign of life: %s", (silentMs, status) => {
  const now = 1_000_000;
  const lastHeartbeatAt = silentMs === null ? null : now - silentMs;
  expect(statusWhenEnabled({ lastHeartbeatAt, stoppedAt: null }, now, 90_000)).toBe(status);
  expect(statusWhenEnabled({ lastHeartbeatAt, stoppedAt: now }, now, 90_000)).toBe("OFFLINE");
});

test.each([
  [{}, null],
  [{ status: "DISABLED", hasActiveToken: false, stoppedAt: 1 }, "DISABLED"],
  [{ hasActiveToken: false }, "TOKEN_REVOKED"],
  [{ status: "OFFLINE", hasActiveToken: false, stoppedAt: 1 }, "TOKEN_REVOKED"],
  [{ status: "OFFLINE", stoppedAt: 1 }, "STOPPED"],
  [{ status: "OFFLINE" }, "SILENT"],
] as const)("why an agent is not ONLINE: %j is %j", (facts, reason) => {
  const well = { status: "ONLINE", hasActiveToken: true, stoppedAt: null } as const;
  expect(offlineReasonOf({ ...well, ...facts })).toBe(reason);
});

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
])("%s", (pattern, good, bad) => {
  expect(good.filter((text) => !pattern.test(text))).toEqual([]);
  expect(bad.filter((text) => pattern.test(text))).toEqual([]);
});
