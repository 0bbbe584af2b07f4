import { z } from "zod";
import { duplicationShownMs } from "../domain/fleet/agent-instances.ts";
import {
  bypassesShown,
  duplicatedAgentsShown,
  healthMapServices,
  overviewCommands,
} from "../domain/limits.ts";
import { overviewHours } from "../domain/overview.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  choiceOfNumbers,
  count,
  countsOf,
  idOf,
  milliseconds,
  timestamp,
} from "./contract/schemas.ts";
import { dataLoss } from "./shapes/data-loss.ts";
import {
  agentCounts,
  agentStatus,
  scheduleCounts,
  serviceCounts,
  serviceStatus,
} from "./shapes/statuses.ts";

const serviceCell = namedObject("HealthMapService", {
  id: idOf("svc"),
  code: z.string(),
  name: z.string(),
  status: serviceStatus,
  healthMessage: z
    .string()
    .optional()
    .describe("The agent's last health message, if the status is not HEALTHY."),
});

const agentCells = namedObject("HealthMapAgent", {
  id: idOf("agt"),
  code: z.string(),
  name: z.string().nullable().describe("A name for people. Null if the agent reports none."),
  status: agentStatus,
  services: z.array(serviceCell).describe("The list is sorted by code."),
});

const bucket = namedObject("CommandHistoryBucket", {
  at: timestamp.describe("The time at which the bucket starts."),
  succeeded: count.describe("How many commands SUCCEEDED."),
  failed: count.describe("How many commands FAILED."),
  cancelled: count.describe("How many commands were CANCELLED."),
  p50Ms: milliseconds.describe("Half of the commands took at most this long."),
  p95Ms: milliseconds.describe("95% of the commands took at most this long."),
});

const approvals = namedObject("OverviewApprovals", {
  pending: count.describe("The number of requests that are AWAITING_APPROVAL."),
  bypassed: count.describe(
    `How often owners have bypassed a required approval in the last ${bypassesShown.days} days.`,
  ),
  bypasses: z
    .array(
      namedObject("ApprovalBypass", {
        approvalId: idOf("apr").describe("The record of the bypass, whose state is BYPASSED."),
        title: z.string().describe("What ran without approval."),
        by: z.string().describe("The owner who bypassed the approval."),
        why: z.string().describe("The reason that the owner gave."),
        at: timestamp.describe("When the owner bypassed the approval."),
      }),
    )
    .describe(`The newest ${bypassesShown.newest} bypasses.`),
});

export const overview = defineRoutes({
  "overview.get": {
    method: "GET",
    path: "/api/admin/overview",
    access: "viewer",
    summary: "Count agents, services, open commands, active registration tokens and approvals",
    reply: namedObject("Overview", {
      at: timestamp.describe("When the server read these values."),
      agents: agentCounts,
      services: serviceCounts.describe(
        "The number of services by effective status, without removed services.",
      ),
      commands: named(
        "OpenCommandCounts",
        countsOf(["PENDING", "RUNNING"]).describe(
          "The number of commands that have not ended, by status.",
        ),
      ),
      registrationTokens: named(
        "OpenInvitationCounts",
        countsOf(["ACTIVE"]).describe("The number of registration tokens that are ACTIVE."),
      ),
      schedules: named(
        "ScheduleOverview",
        scheduleCounts
          .extend({
            allPaused: z.boolean().describe("Whether all schedules are paused together."),
          })
          .describe("The number of schedules by state, and whether all of them are paused."),
      ),
      approvals: approvals.describe("Requests for approval, and approvals that were bypassed."),
      dataLoss: dataLoss
        .nullable()
        .describe(
          "The loss, if confirmed changes are gone and no owner has accepted the loss. " +
            "Otherwise null.",
        ),
      auditBroken: z
        .boolean()
        .describe("Whether the server has found a changed or removed row in the audit trail."),
      duplicatedAgents: z
        .array(
          namedObject("DuplicatedAgent", {
            agentId: idOf("agt"),
            agentCode: z.string(),
            at: timestamp.describe("When the last call from an earlier program arrived."),
          }),
        )
        .describe(
          `At most ${duplicatedAgentsShown} agents whose token two programs have used in the ` +
            `last ${duplicationShownMs / 60_000} minutes.`,
        ),
    }),
  },
  "overview.health-map": {
    method: "GET",
    path: "/api/admin/overview/health-map",
    access: "viewer",
    summary: "List every service with its effective status, grouped by agent",
    description:
      "Agents without services, and removed services, are omitted. The map has at most " +
      `${healthMapServices.toLocaleString("en-US")} services. If there are more, it omits HEALTHY services first, ` +
      "then services that are UNKNOWN, OFFLINE and STALE, in this order.",
    reply: namedObject("HealthMap", {
      at: timestamp.describe("When the server read the services."),
      agents: z.array(agentCells).describe("The list is sorted by code."),
      total: count.describe("The total number of services that agents manage."),
      truncated: z.boolean().describe("Whether services are missing from the map."),
    }),
  },
  "overview.commands": {
    method: "GET",
    path: "/api/admin/overview/commands",
    access: "viewer",
    summary: "Get the outcomes and durations of commands over time",
    description:
      "Commands of the type ACTION_EXECUTE are counted at the time when they ended. Only " +
      `the latest ${overviewCommands.toLocaleString("en-US")} commands are counted. Durations include only commands ` +
      "that an agent fetched and that then SUCCEEDED or FAILED.",
    query: z.object({
      hours: choiceOfNumbers(overviewHours, 24).describe("The length of the time span in hours."),
    }),
    reply: namedObject("CommandHistory", {
      from: timestamp.describe("The start of the first bucket."),
      to: timestamp.describe("The current time. The last bucket is incomplete."),
      bucketSeconds: z.int().min(1).describe("The length of each bucket."),
      coveredFrom: timestamp.describe(
        "The time from which the counts are complete. Later than `from` only if there are more " +
          "commands than are counted.",
      ),
      sampleSize: count.describe("The number of commands that were counted."),
      buckets: z.array(bucket).describe("The buckets, oldest first, without gaps."),
    }),
  },
});
