// Every rule is tested on both sides of each threshold. test/store/tables/fleet/services.test.ts compares
// the SQL with the tested function.

import { expect, test } from "vitest";
import type { Cause } from "../../../src/domain/fleet/attention.ts";
import {
  causeOfStatus,
  classifyHealth,
  effectiveStatus,
  type StatusFacts,
} from "../../../src/domain/fleet/effective-status.ts";
import type { EffectiveStatus } from "../../../src/domain/fleet/services.ts";

const now = 10_000_000;
const thresholds = { offlineMs: 90_000, suppressMs: 900_000, serviceStaleMs: 120_000 };
const well: StatusFacts = {
  agentStatus: "ONLINE",
  agentHasActiveToken: true,
  agentHasStopped: false,
  lastHeartbeatAt: now,
  lastReportedAt: now,
  healthStatus: "UP",
};

const cases: [row: string, facts: Partial<StatusFacts>, status: EffectiveStatus][] = [
  ["1: disabled", { agentStatus: "DISABLED" }, "OFFLINE"],
  ["1: without a token", { agentHasActiveToken: false }, "OFFLINE"],
  ["1: has reported that it stops", { agentHasStopped: true }, "OFFLINE"],
  ["2: never seen", { lastHeartbeatAt: null }, "OFFLINE"],
  ["2: silent for longer than suppress", { lastHeartbeatAt: now - 900_001 }, "OFFLINE"],
  ["3: silent for exactly suppress", { lastHeartbeatAt: now - 900_000 }, "STALE"],
  ["3: silent for longer than offline", { lastHeartbeatAt: now - 90_001 }, "STALE"],
  ["6: silent for exactly offline", { lastHeartbeatAt: now - 90_000 }, "HEALTHY"],
  ["4: reported longer ago than stale", { lastReportedAt: now - 120_001 }, "STALE"],
  ["6: reported exactly stale ago", { lastReportedAt: now - 120_000 }, "HEALTHY"],
  ["5: no health yet", { healthStatus: null }, "UNKNOWN"],
  ["5: an unknown word", { healthStatus: "STARTING" }, "UNKNOWN"],
  ["6: unhealthy", { healthStatus: "DOWN" }, "UNHEALTHY"],
  ["6: healthy", {}, "HEALTHY"],
  ["6: never reported, but its health is known", { lastReportedAt: null }, "HEALTHY"],
  ["5: never reported, no health", { lastReportedAt: null, healthStatus: null }, "UNKNOWN"],
  ["an OFFLINE row whose agent was just seen", { agentStatus: "OFFLINE" }, "HEALTHY"],
  ["a clock that was set back", { lastHeartbeatAt: now + 5, lastReportedAt: now + 5 }, "HEALTHY"],
  ["1 before 2", { agentStatus: "DISABLED", lastHeartbeatAt: null }, "OFFLINE"],
  ["1 before 4", { agentStatus: "DISABLED", lastReportedAt: now - 120_001 }, "OFFLINE"],
  ["1 before 3", { agentHasActiveToken: false, lastHeartbeatAt: now - 90_001 }, "OFFLINE"],
  ["1 before 3", { agentHasStopped: true, lastHeartbeatAt: now - 90_001 }, "OFFLINE"],
  ["2 before 4", { lastHeartbeatAt: now - 900_001, lastReportedAt: 0 }, "OFFLINE"],
  ["3 before 6", { lastHeartbeatAt: now - 90_001, healthStatus: "DOWN" }, "STALE"],
  ["4 before 6", { lastReportedAt: now - 120_001, healthStatus: "DOWN" }, "STALE"],
];

test.each(cases)("row %s", (_row, facts, status) => {
  expect(effectiveStatus({ ...well, ...facts }, now, thresholds)).toBe(status);
});

test.each<[facts: Partial<StatusFacts> & { movedAt?: number }, cause: Cause | null]>([
  [{}, null],
  [{ healthStatus: null }, null],
  [{ agentStatus: "DISABLED" }, "AGENT_DISABLED"],
  [{ agentHasActiveToken: false }, "AGENT_WITHOUT_TOKEN"],
  [{ agentHasStopped: true }, "AGENT_STOPPED"],
  [{ lastHeartbeatAt: now - 900_001 }, "AGENT_SILENT"],
  [{ lastHeartbeatAt: now - 90_001, lastReportedAt: 0 }, "AGENT_SILENT"],
  [{ lastReportedAt: 0 }, "NOT_REPORTED"],
  [{ movedAt: now }, "NOT_REPORTED_YET"],
  [{ movedAt: now, lastReportedAt: 0 }, "NOT_REPORTED_YET"],
  [{ movedAt: now, agentHasStopped: true }, "AGENT_STOPPED"],
])("the status with %j has the cause %s", (facts, cause) => {
  expect(causeOfStatus({ ...well, movedAt: null, ...facts }, now, thresholds)).toBe(cause);
});

test.each([
  ["healthy", ["UP", "HEALTHY", "up", "Healthy"]],
  ["unhealthy", ["DEGRADED", "DOWN", "UNHEALTHY", "down"]],
  ["unknown", [null, "", "STARTING", "UP ", "OK"]],
])("%s: %j", (health, words) => {
  expect(words.map(classifyHealth)).toEqual(words.map(() => health));
});
