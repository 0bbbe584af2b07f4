import { z } from "zod";
import {
  actionTimeoutSeconds,
  maxRolloutTargets,
  maxRolloutWaves,
  rolloutHealthSeconds,
  rolloutParallel,
} from "../domain/limits.ts";
import {
  countPattern,
  offlineRules,
  rolloutReasons,
  rolloutStates,
  targetStates,
} from "../domain/rollouts.ts";
import { listOf, mapOf } from "./contract/bounded.ts";
import { defineNoun } from "./contract/noun.ts";
import { defineRoutes } from "./contract/route.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  code,
  dangerLevel,
  flagQuery,
  idOf,
  idParam,
  json,
  jsonObject,
  pageQuery,
  selectorText,
  someOf,
  sortQuery,
  timestamp,
  wholeNumberQuery,
} from "./contract/schemas.ts";
import { breakGlass } from "./shapes/approval-schemas.ts";
import { serviceStatus } from "./shapes/statuses.ts";

const state = named("RolloutState", z.enum(rolloutStates));
const targetState = named("RolloutTargetState", z.enum(targetStates));
const stateReason = named("RolloutStateReason", z.enum(rolloutReasons));
const offline = named("RolloutOfflineRule", z.enum(offlineRules));

const counts = named(
  "RolloutTargetCounts",
  z.object(
    Object.fromEntries(targetStates.map((each) => [each, z.int()])) as Record<
      (typeof targetStates)[number],
      z.ZodInt
    >,
  ),
).describe("How many targets are in each state.");

export const rolloutSummary = namedObject("Rollout", {
  id: idOf("rol"),
  name: z.string().nullable(),
  action: z.string(),
  state,
  stateReason: stateReason
    .nullable()
    .describe(
      "Why the rollout is PAUSED or FAILED, or CANCELLED without approval. Null in other states.",
    ),
  reason: z.string().nullable(),
  wave: z.int().describe("The current wave, from 1."),
  waveCount: z.int(),
  total: z.int().describe("The number of targets."),
  targets: counts,
  createdBy: z.string().nullable(),
  retryOf: idOf("rol").nullable().describe("The rollout whose targets this one runs again."),
  scheduleId: idOf("sch").nullable().describe("The schedule that created the rollout."),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
});

const between = z
  .union([
    named("RolloutBetween", z.enum(["continue", "pause"])),
    z.int().min(1).max(actionTimeoutSeconds.max),
  ])
  .describe(
    "What follows a wave: `continue` with the next, `pause` until an operator resumes the rollout, or " +
      "wait for this many seconds.",
  );

const choice = {
  selector: selectorText
    .optional()
    .describe("Chooses services by labels. An empty selector chooses every service."),
  services: listOf(code, maxRolloutTargets).optional().describe("Codes of services."),
  agents: listOf(code, maxRolloutTargets)
    .optional()
    .describe("Codes of agents, whose services are chosen."),
  status: z.array(serviceStatus).optional().describe("Only services with one of these statuses."),
};

export const rolloutDetail = named(
  "RolloutDetail",
  rolloutSummary.extend({
    choice: namedObject("RolloutChoice", choice),
    waves: z.array(namedObject("RolloutWave", { size: z.int(), targets: counts })),
    maxParallel: z.int(),
    maxFailures: z.int().describe("With more failures, the rollout ends as FAILED."),
    between,
    nextWaveAt: timestamp
      .nullable()
      .describe("When the next wave begins, if that depends on time."),
    offline,
    healthTimeoutSeconds: z.int().nullable(),
    deadlineAt: timestamp.nullable(),
    payload: jsonObject.describe("The payload, with `[REDACTED]` for each secret."),
    withheld: z.array(z.string()).describe("JSON Pointers to the secrets in the payload."),
    ifUnchanged: z
      .boolean()
      .describe(
        "Whether each command runs only if the state is the one that its prepare returned.",
      ),
    approvalId: idOf("apr")
      .nullable()
      .describe("The request for approval of the rollout. Null if it needed none."),
  }),
);

const count = z
  .string()
  .regex(countPattern, { error: "must be a number such as 5, or a percentage such as 10%" });

/** What a rollout does. Schedules have the same fields. */
export const rolloutFields = {
  name: z.string().min(1).max(200).optional(),
  action: z.string().min(1).max(100),
  ...choice,
  payload: jsonObject.default({}),
  payloadByService: mapOf(z.string(), jsonObject, maxRolloutTargets, "services")
    .default({})
    .describe("Payloads of single services, by their codes, in place of `payload`."),
  confirmation: z.boolean().default(false),
  reason: z.string().max(500).optional(),
  waves: listOf(count, maxRolloutWaves)
    .default([])
    .describe(
      "How many services are done after each wave, as a number or as a percentage of all. The last wave " +
        'always takes the rest. ["1", "10%"] makes three waves.',
    ),
  maxParallel: z.int().min(1).max(rolloutParallel.max).default(rolloutParallel.default),
  maxFailures: count
    .default("0")
    .describe("With more failures than this number or percentage, the rollout ends as FAILED."),
  between: between.default("continue"),
  offline: offline
    .default("skip")
    .describe(
      "What happens to services whose agent is offline: they are not run, they wait for their agent, or " +
        "they fail.",
    ),
  healthGate: z
    .boolean()
    .default(false)
    .describe("Whether each service must also report that it is HEALTHY after its command."),
  healthTimeoutSeconds: z
    .int()
    .min(rolloutHealthSeconds.min)
    .max(rolloutHealthSeconds.max)
    .default(rolloutHealthSeconds.default),
  deadlineSeconds: z
    .int()
    .min(1)
    .max(30 * 86_400)
    .optional()
    .describe("The rollout ends as FAILED if it has not succeeded by then."),
};

export function choosesServices({ selector, services, agents, status }: Choice): boolean {
  return [selector, services, agents, status].some((each) => each !== undefined);
}

type Choice = { [Field in keyof typeof choice]?: unknown };

export const choiceMissing = {
  error: "choose services by selector, services, agents or status",
  path: ["selector"],
};

const prepareCommandIds = mapOf(z.string(), z.string().max(200), maxRolloutTargets, "services")
  .optional()
  .describe("The prepares of the action, by the codes of the services. Only with `ifUnchanged`.");

const body = namedObject("CreateRolloutRequest", {
  ...rolloutFields,
  ifUnchanged: z
    .boolean()
    .optional()
    .describe(
      "Run the action on each service only if its state is still the one that the prepare in " +
        "`prepareCommandIds` returned. Otherwise its command ends with STATE_CHANGED. Services " +
        "without a usable prepare are left out.",
    ),
  prepareCommandIds,
  seed: z
    .string()
    .max(128)
    .optional()
    .describe("The `seed` of a preview, so that the services run in the same order."),
  breakGlass,
}).superRefine((request, context) => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (!choosesServices(request)) refuse("selector", choiceMissing.error);
  const { ifUnchanged, prepareCommandIds: ids } = request;
  if (ids !== undefined && !ifUnchanged) refuse("prepareCommandIds", "needs ifUnchanged");
});

const chosenService = {
  serviceId: idOf("svc"),
  serviceCode: z.string(),
  agentId: idOf("agt"),
  agentCode: z.string(),
};

const preview = namedObject("RolloutPreview", {
  seed: z.string(),
  total: z.int(),
  maxFailures: z.int(),
  requiresConfirmation: z.boolean(),
  policies: z
    .array(z.string())
    .describe("The approval policies that the rollout comes under. Without any, it runs at once."),
  dangerLevel: dangerLevel
    .nullable()
    .describe("The highest danger level of the action on these services. Null without services."),
  payload: jsonObject.describe("The payload, with `[REDACTED]` for each secret."),
  waves: z.array(
    namedObject("RolloutPreviewWave", {
      services: z.array(namedObject("RolloutService", chosenService)),
    }),
  ),
  leftOut: z.array(
    namedObject("RolloutLeftOut", { ...chosenService, code: z.string(), message: z.string() }),
  ),
});

const target = namedObject("RolloutTarget", {
  ...chosenService,
  position: z.int(),
  wave: z.int().describe("The wave, from 1."),
  state: targetState,
  commandId: idOf("cmd").nullable(),
  prepareCommandId: idOf("cmd")
    .nullable()
    .describe("With `ifUnchanged`, the prepare that returned the state to compare."),
  endedAt: timestamp.nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
});

const one = { params: z.object({ rolloutId: idParam }), errors: ["ROLLOUT_NOT_FOUND"] } as const;
const act = {
  ...one,
  method: "POST",
  access: "operator",
  reply: rolloutDetail,
  errors: ["ROLLOUT_NOT_FOUND", "ROLLOUT_WRONG_STATE"],
} as const;
const choiceErrors = ["SERVICE_NOT_FOUND", "AGENT_NOT_FOUND"] as const;

export const rollouts = defineRoutes({
  "rollouts.list": {
    method: "GET",
    path: "/api/admin/rollouts",
    access: "viewer",
    summary: "List rollouts, newest first",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["name", "action", "createdAt", "completedAt"]),
      state: someOf(state),
      action: z.string().max(100).optional().describe("Only rollouts of this action."),
    }),
    reply: z.array(rolloutSummary),
    paginated: true,
  },
  "rollouts.get": {
    ...one,
    method: "GET",
    path: "/api/admin/rollouts/:rolloutId",
    access: "viewer",
    summary: "Get a rollout with its waves",
    reply: rolloutDetail,
  },
  "rollouts.targets": {
    ...one,
    method: "GET",
    path: "/api/admin/rollouts/:rolloutId/targets",
    access: "viewer",
    summary: "List the services of a rollout, in the order in which they run",
    query: z.object({
      ...pageQuery,
      state: someOf(targetState),
      service: z.string().max(128).optional().describe("Only the service with this code."),
      wave: wholeNumberQuery(0, maxRolloutTargets, 0).describe(
        "Only this wave, from 1; 0 for all waves.",
      ),
    }),
    reply: z.array(target),
    paginated: true,
  },
  "rollouts.preview": {
    method: "POST",
    path: "/api/admin/rollouts/preview",
    access: "operator",
    summary:
      "Show which services a rollout would run on, wave by wave, and which it would leave out",
    body,
    reply: preview,
    errors: choiceErrors,
  },
  "rollouts.create": {
    method: "POST",
    path: "/api/admin/rollouts",
    access: "operator",
    summary: "Run an action on many services, in waves",
    description:
      "If a policy requires approval, the rollout is AWAITING_APPROVAL and creates no commands before it is approved.",
    body,
    status: 201,
    idempotent: true,
    reply: rolloutDetail,
    errors: [
      ...choiceErrors,
      ...["CONFIRMATION_REQUIRED", "ROLLOUT_HAS_NO_TARGETS", "APPROVAL_REQUIRED"],
    ] as const,
  },
  "rollouts.pause": {
    ...act,
    path: "/api/admin/rollouts/:rolloutId/pause",
    summary: "Pause a rollout: it creates no more commands until it is resumed",
  },
  "rollouts.resume": {
    ...act,
    path: "/api/admin/rollouts/:rolloutId/resume",
    summary: "Resume a paused rollout",
  },
  "rollouts.cancel": {
    ...act,
    path: "/api/admin/rollouts/:rolloutId/cancel",
    summary: "End a rollout: it creates no more commands",
    query: z.object({
      commands: flagQuery.describe("Also cancel the commands that have not ended."),
    }),
  },
  "rollouts.retry": {
    ...one,
    method: "POST",
    path: "/api/admin/rollouts/:rolloutId/retry",
    access: "operator",
    summary: "Run the services again that failed in a rollout, as a new rollout",
    body: namedObject("RetryRolloutRequest", {
      confirmation: z.boolean().default(false),
      rest: z.boolean().default(false).describe("Also run the services that were not run."),
      secrets: z
        .record(z.string(), json)
        .default({})
        .describe("The secrets in the payload, by JSON Pointer."),
      secretsByService: mapOf(z.string(), z.record(z.string(), json), maxRolloutTargets, "services")
        .optional()
        .describe(
          "The secrets in payloads of single services, by their codes and then by JSON Pointer.",
        ),
      prepareCommandIds: prepareCommandIds.describe(
        "New prepares of the action, by the codes of the services, if the rollout is `ifUnchanged`.",
      ),
      breakGlass,
    }),
    status: 201,
    idempotent: true,
    reply: rolloutDetail,
    errors: [
      ...["ROLLOUT_NOT_FOUND", "ROLLOUT_WRONG_STATE", "ROLLOUT_HAS_NO_TARGETS"],
      ...choiceErrors,
      ...["CONFIRMATION_REQUIRED", "PAYLOAD_NEEDS_SECRETS", "APPROVAL_REQUIRED"],
    ] as const,
  },
});

export const rolloutNoun = defineNoun("rollouts", rollouts, {
  one: "rollout",
  summary: "Actions on many services, in waves",
  lead: "Each rollout runs one action on many services, in waves, and stops if too many of them fail.",
  prefix: "rol",
  name: "name",
  about: "state",
  columns: [
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "state", of: "state", kind: "state" },
    { name: "name", of: "name" },
    { name: "action", of: "action" },
    { name: "wave", of: { cell: "rolloutWave" } },
    { name: "services", of: { cell: "rolloutProgress" } },
    { name: "created", of: "createdAt", kind: "time" },
    { name: "by", of: "createdBy", label: "Created by" },
    { name: "why", of: { cell: "rolloutWhy" }, label: "Reason of the state" },
    { name: "reason", of: "reason", wide: true },
    { name: "ended", of: "completedAt", kind: "time", wide: true },
    { name: "retry of", of: "retryOf", kind: "key", wide: true, link: { to: "rollouts" } },
    { name: "schedule", of: "scheduleId", kind: "key", wide: true, link: { to: "schedules" } },
  ],
  details: [
    {
      name: "approval",
      of: "approvalId",
      kind: "key",
      link: { to: "approvals", id: "approvalId" },
    },
  ],
  empty: "No rollouts. Start one: platformctl rollouts start ACTION -l SELECTOR",
  emptyPage: "No rollout has been started yet.",
  filters: { action: { hint: "Its name" } },
  acts: {
    pause: {
      happens: [
        "The rollout creates no more commands. Existing ones continue, and their results are recorded.",
      ],
      done: "{title} is paused.",
      when: { state: ["RUNNING"] },
    },
    resume: {
      happens: ["The rollout continues with the next services."],
      done: "{title} is resumed.",
      when: { state: ["PAUSED"] },
    },
    cancel: {
      asks: "Cancel the rollout {title}?",
      happens: [
        "The rollout creates no more commands, and cannot be resumed. Existing commands continue unless you cancel them, too.",
      ],
      done: "{title} is cancelled.",
      keep: "Keep rollout",
      when: { state: ["AWAITING_APPROVAL", "RUNNING", "PAUSED"] },
      danger: true,
    },
  },
  examples: {
    list: ["rollouts list --state RUNNING,PAUSED"],
    pause: ["rollouts pause rol_01K"],
  },
});
