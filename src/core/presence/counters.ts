// Counters in memory, which a flush adds to the stored ones. A crash loses at most one second.

import { PendingWrites } from "./pending-writes.ts";

const operationalCounters = [
  "agentCommandPolls",
  "commandsDispatched",
  "commandsCompleted",
  "commandsFailed",
  "actionPrepareRequested",
  "actionPrepareTimeouts",
  "actionPrepareFailures",
  "oversizedCommandResultsRejected",
  "commandOutputBytes",
  "scheduleRunsStarted",
  "scheduleRunsSkipped",
  "scheduleRunsFailed",
] as const;
const busCounters = [
  "busEventsReceived",
  "busEventsDuplicate",
  "busEventsRejected",
  "busEventsRateLimited",
  "busCommandsCreated",
  "busRoutesFailed",
] as const;

const approvalCounters = [
  "approvalsRequested",
  "approvalsApproved",
  "approvalsRejected",
  "approvalsExpired",
  "approvalsBypassed",
] as const;

export const counterNames = [...operationalCounters, ...busCounters, ...approvalCounters] as const;
export type CounterName = (typeof counterNames)[number];

export class Counters extends PendingWrites<CounterName, number> {
  constructor() {
    super((older, newer) => older + newer);
  }

  count(name: CounterName): void {
    this.add(name, 1);
  }
}
