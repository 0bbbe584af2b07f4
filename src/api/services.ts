import { z } from "zod";
import { historyChangesShown, historyDays } from "../domain/fleet/service-history.ts";
import { dayMs } from "../lib/duration.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  codedIds,
  count,
  dangerLevel,
  deletedOf,
  idOf,
  idParam,
  json,
  jsonObject,
  pageQuery,
  searchQuery,
  selectorQuery,
  someOf,
  sortQuery,
  timestamp,
  wholeNumberQuery,
} from "./contract/schemas.ts";
import { changeLabels, labelSources } from "./shapes/label-schemas.ts";
import { serviceNote } from "./shapes/service-note.ts";
import { problemCause, removedAt, serviceStatus, statusSince } from "./shapes/statuses.ts";

export const serviceSummary = namedObject("Service", {
  id: idOf("svc"),
  code: z.string().describe("The service's permanent name."),
  name: z.string().describe("A name for people."),
  version: z.string().describe("The service's version, as the agent reports it."),
  description: z
    .string()
    .nullable()
    .describe("What the service is for. Null if the agent reports no description."),
  agentId: idOf("agt").describe("The agent that owns the service."),
  agentCode: z.string(),
  labels: z
    .record(z.string(), z.string())
    .describe(
      "The labels in effect. If several labels have the same key, the first of these is in " +
        "effect: the label assigned to the service, the label assigned to its agent, the label " +
        "reported for the service, the label reported for its agent.",
    ),
  status: serviceStatus,
  storedStatus: serviceStatus.describe("The status at the last report or maintenance sweep."),
  healthStatus: z
    .string()
    .nullable()
    .describe("The health as the agent reported it. Null if it has reported none."),
  healthMessage: z.string().nullable().describe("The message of the last reported health."),
  healthChangedAt: timestamp.nullable().describe("When the reported health last changed."),
  lastReportedAt: timestamp.describe("When an agent last reported the service."),
  removedAt,
  updatedAt: timestamp.describe(
    "When the service last changed. Changes of its health and status do not count.",
  ),
  statusCause: problemCause
    .nullable()
    .describe("Why the status does not come from a current report. Null if it does."),
});

const uptime = z
  .number()
  .min(0)
  .max(1)
  .describe(
    "The share of the recorded time in which the service was HEALTHY. Time in the status UNKNOWN " +
      "does not count. Null if no time counts.",
  );

export const action = namedObject("Action", {
  name: z.string().describe("The name by which calls refer to the action."),
  label: z.string().describe("The name that users see."),
  description: z
    .string()
    .describe("What the action does. Empty if the agent declares no description."),
  category: z.string().nullable().describe("The group in which lists show the action."),
  order: z
    .int()
    .nullable()
    .describe("The action's place in its category. Lower numbers come first."),
  hidden: z
    .boolean()
    .describe(
      "Whether lists and menus leave the action out. The action can still be run by its name.",
    ),
  dangerLevel,
  requiresConfirmation: z
    .boolean()
    .describe("Whether each call that runs the action must confirm it."),
  timeoutSeconds: z
    .int()
    .nullable()
    .describe(
      "How long the action may run. Null if the agent declares no timeout; the default then " +
        "applies.",
    ),
  inputSchema: jsonObject.describe("The JSON Schema of the payload."),
  prepare: z
    .boolean()
    .describe(
      "Whether the agent supplies the form. If false, the form is `inputSchema` with its defaults.",
    ),
});

const config = namedObject("ServiceConfig", {
  key: z.string().describe("The name of the config."),
  label: z.string().optional().describe("The name that users see."),
  type: z.string().describe("The type of the value, such as `string` or `path`."),
  source: z.string().optional().describe("Where the value comes from."),
  editable: z
    .boolean()
    .describe("Whether operators see the value as editable. Has no other effect."),
  sensitive: z
    .boolean()
    .describe("Whether the value is secret. The server stores no secret values."),
  valuePreview: json.optional().describe("The value. Absent if it is secret."),
  defaultValue: json
    .optional()
    .describe("The default value. Absent if it is secret, or if the agent reports none."),
  secretRef: z.string().optional().describe("Where the secret value is stored."),
});

const claim = namedObject("ServiceClaim", {
  agentId: idOf("agt").describe("The agent whose reports are refused."),
  agentCode: z.string(),
  since: timestamp.describe(
    "When the server first refused a report of the service from this agent.",
  ),
});

const serviceDetail = named(
  "ServiceDetail",
  serviceSummary.extend({
    statusSince,
    runtime: json.nullable().describe("Any JSON, as the agent reported it."),
    healthDetails: json.nullable().describe("The details of the last reported health."),
    manifest: json.nullable().describe("Any JSON, as the agent reported it."),
    configs: z.array(config).describe("The service's configuration, as the agent reports it."),
    actions: z.array(action).describe("The actions that the agent declares for the service."),
    labelSources,
    createdAt: timestamp.describe("When an agent first reported the service."),
    claims: z.array(claim).describe("Other agents whose reports of this service are refused."),
    note: serviceNote.nullable().describe("The acknowledgement or silence that applies now."),
  }),
);

const partOfDay = z
  .int()
  .min(0)
  .max(dayMs)
  .describe("How many milliseconds the service had this status.");

const historyPart = namedObject("ServiceHistoryPart", {
  from: timestamp.describe("The start of this part."),
  to: timestamp.describe("The end of this part, or the current time if the part has not ended."),
  ms: namedObject("ServiceStatusTimes", {
    HEALTHY: partOfDay,
    UNHEALTHY: partOfDay,
    STALE: partOfDay,
    OFFLINE: partOfDay,
    UNKNOWN: partOfDay,
  }).describe("How long the service had each status."),
  unrecordedMs: partOfDay.describe(
    "The number of milliseconds for which nothing is recorded, such as those before the first " +
      "report.",
  ),
  uptime: uptime.nullable(),
});

const history = namedObject("ServiceHistory", {
  serviceId: idOf("svc"),
  serviceCode: z.string(),
  status: serviceStatus,
  statusSince,
  now: timestamp.describe("The current time of the server's clock."),
  changes: z
    .array(
      namedObject("ServiceStatusChange", {
        at: timestamp.describe("When the status changed."),
        from: serviceStatus
          .nullable()
          .describe("The previous status. Null for the first recorded status."),
        to: serviceStatus,
      }),
    )
    .describe(`The last ${historyChangesShown} changes within the last 24 hours, newest first.`),
  changesTotal: count.describe("The number of changes within the last 24 hours."),
  uptime: uptime
    .nullable()
    .describe(
      "For all these days together: the share of the recorded time in which the service was " +
        "HEALTHY. Time in the status UNKNOWN does not count. Null if no time counts.",
    ),
  halfHours: z.array(historyPart).describe("The last 48 half hours, oldest first."),
  days: z.array(historyPart).describe("Days in UTC, oldest first. The last one is today."),
});

const one = {
  params: z.object({ serviceId: codedIds.serviceId }),
  errors: ["SERVICE_NOT_FOUND"],
} as const;

export const services = defineRoutes({
  "services.list": {
    method: "GET",
    path: "/api/admin/capsule-services",
    access: "viewer",
    summary: "List managed services with their effective status",
    query: z.object({
      ...pageQuery,
      sort: sortQuery([
        "status",
        "code",
        "name",
        "version",
        "agentCode",
        "lastReportedAt",
        "healthChangedAt",
      ]),
      status: someOf(serviceStatus),
      healthStatus: z
        .string()
        .max(50)
        .optional()
        .describe("Only services whose last reported health is this word, such as `UP`."),
      agentId: idParam.optional().describe("Only services that belong to this agent (id or code)."),
      action: z.string().max(100).optional().describe("Only services that declare this action."),
      selector: selectorQuery,
      q: searchQuery,
    }),
    reply: z.array(serviceSummary),
    paginated: true,
  },
  "services.get": {
    ...one,
    method: "GET",
    path: "/api/admin/capsule-services/:serviceId",
    access: "viewer",
    summary: "Get a managed service with its configs, actions and health",
    reply: serviceDetail,
  },
  "services.history": {
    ...one,
    method: "GET",
    path: "/api/admin/capsule-services/:serviceId/history",
    access: "viewer",
    summary: "Get a service's status changes, and its uptime for each day",
    description:
      "If a report changes the status, the change is stored immediately. The maintenance sweep " +
      "stores changes to STALE and OFFLINE, which can take up to one interval of the sweep.",
    query: z.object({
      days: wholeNumberQuery(1, historyDays.max, historyDays.default).describe(
        "The number of days, including today.",
      ),
    }),
    reply: history,
  },
  "services.delete": {
    ...one,
    method: "DELETE",
    path: "/api/admin/capsule-services/:serviceId",
    access: "operator",
    summary: "Delete an OFFLINE, STALE or removed service, but not its commands",
    reply: named("DeletedService", deletedOf("svc")),
    errors: ["SERVICE_NOT_FOUND", "SERVICE_NOT_OFFLINE", "SERVICE_HAS_OPEN_COMMANDS"],
  },
  "services.label": {
    ...one,
    method: "PATCH",
    path: "/api/admin/capsule-services/:serviceId/labels",
    access: "owner",
    summary: "Assign labels to a service, or remove assigned ones",
    body: changeLabels,
    reply: serviceDetail,
  },
  "services.move": {
    ...one,
    method: "POST",
    path: "/api/admin/capsule-services/:serviceId/move",
    access: "operator",
    summary: "Move a service to another agent, which must be online",
    description:
      "After the move, the server accepts reports of the service from the new agent and " +
      "refuses reports from the old agent. Existing commands stay with the old agent. If " +
      "labels are assigned to the service but not to the new agent, only an owner can move " +
      "the service.",
    body: namedObject("MoveServiceRequest", { agentId: codedIds.agentId }),
    reply: serviceDetail,
    errors: ["SERVICE_NOT_FOUND", "AGENT_NOT_FOUND", "AGENT_OFFLINE", "AGENT_DISABLED"],
  },
});
