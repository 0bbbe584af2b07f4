// What check-tests.ts allows, and why.

import type { Kind } from "./check-tests.ts";

export interface Exception {
  file: string;
  kind: Kind;
  /** In how many places; 1 by default. */
  times?: number;
  reason: string;
}

const lowerBound = "This is a lower limit: a slow machine only makes the time longer.";
const load = "Paces simulated clients or sets the length of a fault; no expectation depends on it.";
const onlyLong = "Only `npm run test:long` limits what is measured.";
const inSize = "Only tests in .long.test.ts files use it.";

export const exceptions: readonly Exception[] = [
  { file: "test/agent/refusal.test.ts", kind: "measure", reason: lowerBound },
  { file: "test/attacks/heartbeat-meter.ts", kind: "measure", times: 2, reason: inSize },
  { file: "test/attacks/heartbeat-meter.ts", kind: "wait", reason: inSize },
  {
    file: "test/attacks/size.long.test.ts",
    kind: "wait",
    times: 3,
    reason: "Holds connections for as long as an attack lasts.",
  },
  { file: "test/attacks/victim.ts", kind: "measure", times: 4, reason: inSize },
  { file: "test/attacks/victim.ts", kind: "wait", times: 2, reason: inSize },
  { file: "test/cli/actions/actions.test.ts", kind: "measure", times: 2, reason: lowerBound },
  { file: "test/e2e/storage/db-beside-server.test.ts", kind: "measure", reason: onlyLong },
  { file: "test/domain/form/form.test.ts", kind: "measure", times: 2, reason: onlyLong },
  { file: "test/cli/audit/audit-tail.test.ts", kind: "wait", times: 3, reason: load },
  {
    file: "test/cli/rollouts/prepared.test.ts",
    kind: "process",
    reason: "In one turn, no earlier test starts as many timers as this test would leave.",
  },
  { file: "test/cli/services/waits.test.ts", kind: "measure", times: 2, reason: lowerBound },
  {
    file: "test/console/layout-shift.long.test.ts",
    kind: "wait",
    times: 2,
    reason: "Slows the responses to show the page while it loads, and waits for all of them.",
  },
  {
    file: "test/console/requests.test.ts",
    kind: "wait",
    reason: "Only the highest number of requests is limited: a slow machine sends fewer.",
  },
  {
    file: "test/console/traffic.long.test.ts",
    kind: "wait",
    reason: "Measures what a page transfers during minutes in which nothing happens.",
  },
  {
    file: "test/core/monitoring/event-loop-delay.test.ts",
    kind: "measure",
    times: 2,
    reason: "Blocks the event loop for at least this time; the delay has only lower limits.",
  },
  { file: "test/domain/payload/check.test.ts", kind: "measure", times: 2, reason: onlyLong },
  { file: "test/e2e/agents/output-faults.long.test.ts", kind: "wait", times: 2, reason: load },
  {
    file: "test/e2e/agents/shell-agent.test.ts",
    kind: "wait",
    reason: "The signal comes at different moments; the result must be the same each time.",
  },
  { file: "test/e2e/cluster/balancer.ts", kind: "wait", times: 2, reason: load },
  { file: "test/e2e/cluster/faults.test.ts", kind: "wait", times: 3, reason: load },
  {
    file: "test/e2e/cluster/load.ts",
    kind: "measure",
    times: 4,
    reason: "Shows that a call began after a moment; durations are only printed.",
  },
  { file: "test/e2e/cluster/load.ts", kind: "wait", times: 6, reason: load },
  { file: "test/e2e/cluster/outage-load.ts", kind: "wait", times: 4, reason: load },
  { file: "test/e2e/cluster/outage.long.test.ts", kind: "wait", times: 2, reason: load },
  { file: "test/e2e/rollouts/fleet.ts", kind: "wait", times: 2, reason: load },
  { file: "test/store/bounded-search.test.ts", kind: "measure", times: 2, reason: onlyLong },
  {
    file: "test/store/engine/postgresql/faults.test.ts",
    kind: "measure",
    times: 4,
    reason: lowerBound,
  },
];
