import { z } from "zod";
import { flapping, problems, silenceSeconds } from "../domain/fleet/attention.ts";
import {
  attentionServices,
  attentionShown,
  maxNotedServices,
  noteMaxLength,
} from "../domain/limits.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { count, dangerLevel, idOf, idParam, textsOf, timestamp } from "./contract/schemas.ts";
import { serviceNote } from "./shapes/service-note.ts";
import { problemCause, serviceCounts } from "./shapes/statuses.ts";

const problem = named("ServiceProblem", z.enum(problems)).describe(
  "UNHEALTHY, STALE and OFFLINE are effective statuses. A service is FLAPPING if its " +
    `reported health changed at least ${flapping.changes} times in ` +
    `${flapping.windowMs / 60_000} minutes. A service that was moved to another agent is listed as ` +
    "STALE until that agent has reported it, unless its status is OFFLINE.",
);

const failedCommand = namedObject("LastFailedCommand", {
  id: idOf("cmd"),
  action: z.string(),
  errorCode: z.string().nullable().describe("Why the command FAILED, as a code."),
  errorMessage: z
    .string()
    .nullable()
    .describe("The same reason in words. Null if the agent reported no message."),
  completedAt: timestamp.describe("When the command ended."),
});

const service = namedObject("AttentionService", {
  id: idOf("svc"),
  code: z.string(),
  name: z.string().describe("A name for people."),
  agentId: idOf("agt").describe("The agent that owns the service."),
  agentCode: z.string(),
  since: timestamp.describe("When the problem began."),
  healthStatus: z.string().nullable().describe("The last reported health."),
  changes: count.describe("How often the health changed recently, if the service is FLAPPING."),
  lastFailedCommand: failedCommand
    .nullable()
    .describe("The newest failed action among the last 20 commands of the service."),
});

const since = namedObject("AttentionSince", {
  earliest: timestamp.describe("When the first of the problems began."),
  latest: timestamp.describe("When the last of the problems began."),
});

const group = namedObject("AttentionGroup", {
  id: z
    .string()
    .describe(
      "Identifies the group by its problem, its cause, its reported health and health message, " +
        "and its note. If one of these changes, the id changes.",
    ),
  problem,
  cause: problemCause.describe("Why the services have the problem."),
  healthStatus: z.string().nullable().describe("The reported health, if the cause is HEALTH."),
  message: z.string().nullable().describe("The health message, if the cause is HEALTH."),
  note: serviceNote
    .nullable()
    .describe(
      "The acknowledgement or silence. Null for groups that nobody has acknowledged or silenced.",
    ),
  services: count.describe("The number of services in the group."),
  agents: count.describe("The number of agents that own these services."),
  since: since.describe(
    "The earliest and the latest time when the problem of a service in the group began. A " +
      "problem begins, for example, with the last change of the reported health, or with the " +
      "last call of a silent agent.",
  ),
  labels: z
    .array(
      namedObject("TellingLabel", {
        key: z.string(),
        value: z.string(),
        services: count.describe("The number of services in the group that have this label."),
        of: count.describe("The number of all services that have this label."),
      }),
    )
    .describe(
      `At most ${attentionShown.labels} labels that at least half of the services have, and that are more frequent in the group than elsewhere.`,
    ),
  byAgent: z
    .array(
      namedObject("AttentionAgent", {
        id: idOf("agt"),
        code: z.string(),
        services: count.describe("How many services of the group belong to the agent."),
      }),
    )
    .describe(`The ${attentionShown.agents} agents with the most services of the group.`),
  first: z
    .array(service)
    .describe(
      `The ${attentionShown.services} services whose problem began first, sorted by that time.`,
    ),
});

const part = namedObject("AttentionGroups", {
  groups: z
    .array(group)
    .describe(
      `At most ${attentionShown.groups} groups. Groups with the most urgent problems come ` +
        "first. Among groups with the same problem, the largest come first.",
    ),
  total: count.describe("The total number of groups."),
  services: count.describe("The number of services across all groups."),
  agents: count.describe("The number of agents that own these services."),
});

const lengths = silenceSeconds.join(", ");

/** Not an enumeration, because generated clients do not support enumerations of numbers. */
const seconds = z
  .int()
  .refine((value) => silenceSeconds.some((length) => length === value), {
    error: `must be one of ${lengths}`,
  })
  .describe(`How long the silence lasts, in seconds: one of ${lengths}.`);

const groupService = namedObject("AttentionGroupService", {
  id: idOf("svc"),
  code: z.string(),
  since: timestamp.describe("When the problem began."),
});

const groupParam = z.string().min(1).max(100);

const text = z
  .string()
  .trim()
  .min(1)
  .max(noteMaxLength)
  .optional()
  .describe("A note for the other operators.");

/** Adds the choice of services: either one group, or individual services by id or code. */
function withServices<T extends z.ZodRawShape>(shape: T) {
  const groupId = groupParam
    .optional()
    .describe("The id of a group. The call applies to all services in it.");
  const serviceIds = z
    .array(idParam)
    .min(1)
    .max(maxNotedServices)
    .optional()
    .describe("The ids or codes of services.");
  return z
    .object({ ...shape, groupId, serviceIds })
    .refine(
      (body: { groupId?: unknown; serviceIds?: unknown }) =>
        (body.groupId === undefined) !== (body.serviceIds === undefined),
      { error: "set groupId or serviceIds, but not both", path: ["groupId"] },
    );
}

const noted = namedObject("NotedServices", {
  services: count.describe("How many services the call changed."),
  until: timestamp
    .nullable()
    .describe("When the silence ends. Null if the services are not silenced."),
});

const missing = ["ATTENTION_GROUP_NOT_FOUND", "SERVICE_NOT_FOUND"] as const;

export const attention = defineRoutes({
  "attention.get": {
    method: "GET",
    path: "/api/admin/attention",
    access: "viewer",
    summary: "Get the services that need attention, grouped by reason",
    description:
      "Services form a group if they have the same problem, the same cause, the same note and, " +
      "for the cause HEALTH, exactly the same reported health and message. The server reads at " +
      `most ${attentionServices.toLocaleString("en-US")} services.`,
    reply: namedObject("Attention", {
      at: timestamp.describe("When the server read the services."),
      services: serviceCounts.describe(
        "The number of services that agents manage, by effective status.",
      ),
      open: part.describe("The groups that nobody has acknowledged or silenced."),
      handled: part.describe("The groups that are acknowledged or silenced."),
      truncated: z.boolean().describe("Whether there are more services than the server has read."),
    }),
  },
  "attention.group": {
    method: "GET",
    path: "/api/admin/attention/groups/:groupId",
    access: "viewer",
    summary: "List the services of a group, which all have the same problem",
    params: z.object({ groupId: groupParam.describe("The group's id.") }),
    reply: namedObject("AttentionGroupServices", {
      groupId: z.string(),
      problem,
      services: z.array(groupService),
    }),
    errors: ["ATTENTION_GROUP_NOT_FOUND"],
  },
  "attention.actions": {
    method: "GET",
    path: "/api/admin/attention/actions",
    access: "viewer",
    summary: "List the services of one or more groups, and the actions that these services declare",
    description:
      "Groups that no longer exist are left out, and so are hidden actions. The list " +
      "begins with the actions that the largest number of these services declare.",
    query: z.object({
      groups: textsOf(groupParam, attentionShown.groups).describe(
        "The ids of groups, separated by commas.",
      ),
    }),
    reply: namedObject("AttentionActions", {
      services: z.array(groupService).describe("The services of all these groups."),
      actions: z
        .array(
          namedObject("SharedAction", {
            name: z.string().describe("The name by which calls refer to the action."),
            label: z.string().describe("The name that users see."),
            dangerLevel: dangerLevel.describe(
              "The highest danger level that the action has on these services.",
            ),
            services: count.describe("How many of the services declare the action."),
            serviceId: idOf("svc").describe(
              "The id of one of the services that declare the action.",
            ),
          }),
        )
        .describe("The actions that at least one of the services declares."),
    }),
    errors: ["ATTENTION_GROUP_NOT_FOUND"],
  },
  "attention.acknowledge": {
    method: "POST",
    path: "/api/admin/attention/acknowledge",
    access: "operator",
    summary: "Acknowledge the problems of services until the problems change",
    description:
      "The acknowledgement of a service ends when the service recovers or gets another problem. " +
      "Unless the problem is FLAPPING, it also ends when the reported health changes. If the " +
      "service is silenced, the acknowledgement replaces the silence.",
    body: named("AcknowledgeRequest", withServices({ note: text })),
    reply: noted,
    errors: [...missing, "SERVICE_HAS_NO_PROBLEM"],
  },
  "attention.silence": {
    method: "POST",
    path: "/api/admin/attention/silence",
    access: "operator",
    summary: "Silence services for some time",
    description:
      "The silence lasts for the whole time, even if the service recovers and has a problem " +
      "again. If the service is acknowledged, the silence replaces the acknowledgement.",
    body: named(
      "SilenceRequest",
      withServices({
        seconds,
        note: text,
      }),
    ),
    reply: noted,
    errors: missing,
  },
  "attention.clear": {
    method: "POST",
    path: "/api/admin/attention/clear",
    access: "operator",
    summary: "End the acknowledgements and silences of services",
    body: named("ClearNotesRequest", withServices({})),
    reply: noted,
    errors: missing,
  },
});
