import { z } from "zod";
import { approvalStates } from "../domain/approvals/approvals.ts";
import { commandStatuses } from "../domain/commands/commands.ts";
import { registrationTokenStatuses } from "../domain/fleet/registration-tokens.ts";
import { rolloutStates } from "../domain/rollouts/rollouts.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { count, countsOf, milliseconds } from "./contract/schemas.ts";
import { agentCounts, scheduleCounts, serviceCounts } from "./shapes/statuses.ts";

export const prometheusType = "text/plain; version=0.0.4; charset=utf-8";

const operational = namedObject("OperationalMetrics", {
  agentCommandPolls: count.describe("Calls in which agents asked for commands."),
  commandsDispatched: count.describe("Commands that were delivered to an agent."),
  commandsCompleted: count.describe("Commands that succeeded."),
  commandsFailed: count.describe("Commands that an agent reported as failed, or that timed out."),
  actionPrepareRequested: count.describe("Prepare commands that were created."),
  actionPrepareTimeouts: count.describe("Prepare commands that got no response in time."),
  actionPrepareFailures: count.describe("Prepare commands that an agent reported as failed."),
  oversizedCommandResultsRejected: count.describe("Results that were too large."),
  commandOutputBytes: count.describe("Bytes of output that agents sent while commands ran."),
  scheduleRunsStarted: count.describe("Runs of schedules that started."),
  scheduleRunsSkipped: count.describe("Runs of schedules that were skipped."),
  scheduleRunsFailed: count.describe("Runs of schedules that could not start, or that failed."),
  schedulesPaused: count.describe("1 while all schedules are paused together, otherwise 0."),
  staleOnlineAgents: count.describe(
    "Agents stored as ONLINE that have been silent for longer than the offline threshold.",
  ),
});

const bus = namedObject("BusMetrics", {
  eventsReceived: count.describe("Events that were stored and routed."),
  eventsDuplicate: count.describe("Events that were received again, without effect."),
  eventsRejected: count.describe(
    "Events that were refused because they were about an unknown service or another agent's " +
      "service, or because their depth was too great.",
  ),
  eventsRateLimited: count.describe("Events that exceeded the limit per minute."),
  commandsCreated: count.describe("Commands that routes created."),
  routesFailed: count.describe(
    "Events that matched a route but created no command because the route failed.",
  ),
});

const approvals = namedObject("ApprovalMetrics", {
  requested: count.describe("Requests that were made."),
  approved: count.describe("Requests that got all their approvals and took effect."),
  rejected: count.describe("Requests that an approver rejected."),
  expired: count.describe("Requests that ended because they did not get all approvals in time."),
  bypassed: count.describe("Calls that an owner made without the approval that a policy requires."),
});

const commandDurations = namedObject("CommandDurations", {
  sampleSize: count.describe(
    "The number of commands that were measured. If it is 0, the other fields are null.",
  ),
  p50Ms: milliseconds.describe("Half of the commands took at most this long."),
  p95Ms: milliseconds.describe("95% of the commands took at most this long."),
  maxMs: milliseconds.describe("The duration of the slowest command."),
  meanMs: milliseconds.describe("The mean duration."),
});

const byStatus = namedObject("MetricsByStatus", {
  agents: agentCounts,
  capsuleServices: serviceCounts.describe("The number of services by stored status."),
  registrationTokens: named(
    "RegistrationTokenCounts",
    countsOf(registrationTokenStatuses).describe("The number of registration tokens by status."),
  ),
  commands: named(
    "CommandCounts",
    countsOf(commandStatuses).describe(
      "The number of commands by status. PENDING and RUNNING count the commands that are open " +
        "now. The other statuses count all commands that have ended since the database was " +
        "created, even if they have been deleted.",
    ),
  ),
  rollouts: named(
    "RolloutCounts",
    countsOf(rolloutStates).describe("The number of rollouts by state."),
  ),
  schedules: scheduleCounts,
  approvals: named(
    "ApprovalCounts",
    countsOf(approvalStates).describe("The number of requests for approval by state."),
  ),
});

const totals = named(
  "MetricsTotals",
  z
    .object({
      users: count,
      agents: count,
      capsuleServices: count,
      registrationTokens: count,
      commands: count.describe("Includes ended commands that have been deleted."),
      auditEvents: count.describe("The number of rows in the audit trail."),
    })
    .describe("The number of objects of each kind, in all statuses."),
);

const metricsReply = namedObject("Metrics", {
  operational: operational.describe(
    "Counts since the database was created, except `staleOnlineAgents` and " +
      "`schedulesPaused`, which are current.",
  ),
  bus: bus.describe("Counts since the database was created. All counts are 0 if the bus is off."),
  approvals: approvals.describe("Counts since the database was created."),
  commandDurations: commandDurations.describe(
    "Durations of the last 1,000 commands that ran and either SUCCEEDED or FAILED.",
  ),
  topCommandErrors: z
    .array(
      namedObject("CommandErrorCount", {
        code: z.string().describe("The `errorCode` of the commands."),
        count: count.describe(
          "How many commands have FAILED with this code since the database was created.",
        ),
      }),
    )
    .max(10)
    .describe("The most frequent error codes of commands."),
  byStatus,
  totals,
  workspace: namedObject("Workspace", {
    id: z.string().describe("A random id that the database keeps."),
    name: z.string().describe("The `workspaceName` of the settings."),
  }),
});

export const metrics = defineRoutes({
  "metrics.get": {
    method: "GET",
    path: "/api/admin/metrics",
    access: "owner",
    metrics: true,
    summary: "Get operational metrics",
    reply: metricsReply,
  },
  "metrics.prometheus": {
    method: "GET",
    path: "/api/admin/metrics/prometheus",
    access: "owner",
    metrics: true,
    summary: "Get the metrics of the server and of its process, in the Prometheus text format",
    produces: [prometheusType],
    reply: z.string(),
  },
});
