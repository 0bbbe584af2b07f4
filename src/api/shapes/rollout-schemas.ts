// The schemas of rollouts.

import { z } from "zod";
import { effectiveStatuses } from "../../domain/fleet/services.ts";
import {
  actionTimeoutSeconds,
  lastLineLength,
  leftOutServices,
  maxRolloutTargets,
  maxRolloutWaves,
  rolloutHealthSeconds,
  rolloutNameLength,
  rolloutParallel,
} from "../../domain/limits.ts";
import {
  offlineRules,
  rolloutReasons,
  rolloutStates,
  targetStates,
} from "../../domain/rollouts/rollouts.ts";
import { countPattern, waveWithoutGrowth } from "../../domain/rollouts/waves.ts";
import { listOf, mapOf } from "../contract/bounded.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import {
  code,
  dangerLevel,
  idOf,
  json,
  jsonObject,
  milliseconds,
  selectorText,
  timestamp,
} from "../contract/schemas.ts";
import { breakGlass } from "./approval-schemas.ts";
import { commandStatus } from "./command-schemas.ts";
import { serviceStatus } from "./statuses.ts";

export const rolloutState = named(
  "RolloutState",
  z
    .enum(rolloutStates)
    .describe(
      "AWAITING_APPROVAL: the rollout creates no commands before it is approved. PAUSED: it " +
        "creates no commands until it is resumed. CANCELLED: an operator ended it, or it was not " +
        "approved.",
    ),
);
export const rolloutTargetState = named(
  "RolloutTargetState",
  z
    .enum(targetStates)
    .describe(
      "WAITING: it is not the service's turn yet. CHECKING: the command succeeded, and the server waits for the service to become HEALTHY. NOT_RUN: the action was not run on the service.",
    ),
);
const stateReason = named("RolloutStateReason", z.enum(rolloutReasons));
const offline = named("RolloutOfflineRule", z.enum(offlineRules));

const counts = named(
  "RolloutTargetCounts",
  z
    .object(
      Object.fromEntries(targetStates.map((each) => [each, z.int()])) as Record<
        (typeof targetStates)[number],
        z.ZodInt
      >,
    )
    .describe("The number of targets in each state."),
);

const leftOutCounts = {
  total: z.int().describe("How many services were left out."),
  reasons: z
    .array(
      namedObject("RolloutLeftOutReason", {
        code: z.string().describe("The reason, as a code such as `AGENT_OFFLINE`."),
        count: z.int().describe("How many services were left out for this reason."),
      }),
    )
    .describe(
      "How many services were left out for each reason. The most frequent reason comes first.",
    ),
};

/** The runs of schedules have this, too. */
export const leftOut = namedObject("RolloutLeftOutCounts", leftOutCounts)
  .nullable()
  .describe(
    "The chosen services on which the rollout does not run, such as those whose agent was offline. " +
      "Null if an older version created the rollout.",
  );

export const rolloutSummary = namedObject("Rollout", {
  id: idOf("rol"),
  name: z.string().nullable().describe("A name that says what the rollout is for."),
  action: z.string().describe("The name of the action that runs on the services."),
  state: rolloutState,
  stateReason: stateReason
    .nullable()
    .describe(
      "Why the rollout is PAUSED or FAILED, or why it was CANCELLED without approval. Null " +
        "in other states.",
    ),
  reason: z.string().nullable().describe("The reason that the operator gave."),
  wave: z.int().describe("The number of the current wave. The first wave is 1."),
  waveCount: z.int().describe("The number of waves."),
  total: z.int().describe("The number of targets."),
  targets: counts,
  createdBy: z
    .string()
    .nullable()
    .describe(
      "The name of the user, API key or schedule that created the rollout, or of the caller with `--db`.",
    ),
  retryOf: idOf("rol").nullable().describe("The rollout that this rollout retries."),
  scheduleId: idOf("sch").nullable().describe("The schedule that created the rollout."),
  createdAt: timestamp,
  completedAt: timestamp.nullable().describe("When the rollout ended. Null before that."),
  leftOut,
});

const between = z
  .union([
    named("RolloutBetween", z.enum(["continue", "pause"])),
    z.int().min(1).max(actionTimeoutSeconds.max),
  ])
  .describe(
    "What happens after a wave: `continue` starts the next one, `pause` waits until an operator " +
      "resumes the rollout, and a number is how many seconds to wait.",
  );

const choice = {
  selector: selectorText
    .optional()
    .describe("Chooses services by labels. An empty selector chooses every service."),
  services: listOf(code, maxRolloutTargets)
    .optional()
    .describe("The codes of the services to choose."),
  agents: listOf(code, maxRolloutTargets)
    .optional()
    .describe("The codes of agents. All services of these agents are chosen."),
  status: listOf(serviceStatus, effectiveStatuses.length)
    .optional()
    .describe("Chooses only services with one of these statuses."),
};

const chosenService = {
  serviceId: idOf("svc"),
  serviceCode: z.string(),
  agentId: idOf("agt"),
  agentCode: z.string(),
};

const leftOutService = namedObject("RolloutLeftOut", {
  ...chosenService,
  code: z.string().describe("Why the service was left out, as a code."),
  message: z.string().describe("The same reason in words."),
});

export const rolloutDetail = named(
  "RolloutDetail",
  rolloutSummary.extend({
    leftOut: namedObject("RolloutLeftOutServices", {
      ...leftOutCounts,
      services: z
        .array(leftOutService)
        .describe(`The first ${leftOutServices.shown} services that were left out.`),
    })
      .nullable()
      .describe(
        "The chosen services on which the rollout does not run. Null if an older version " +
          "created the rollout.",
      ),
    choice: namedObject("RolloutChoice", choice).describe("How the services were chosen."),
    waves: z
      .array(
        namedObject("RolloutWave", {
          size: z.int().describe("The number of services in the wave."),
          targets: counts,
        }),
      )
      .describe("The waves, in the order in which they run."),
    canary: z.string().nullable().describe("The `canary` of the request."),
    maxParallel: z.int().describe("How many services the action runs on at the same time."),
    maxFailures: z
      .int()
      .describe(
        "If more services than this fail, the rollout ends as FAILED. At the end of the " +
          "rollout, services that are NOT_RUN count as failures, too.",
      ),
    between,
    nextWaveAt: timestamp
      .nullable()
      .describe("When the next wave begins. Null unless the rollout is waiting for this time."),
    offline: offline.describe("What happens to services whose agent is offline."),
    healthTimeoutSeconds: z
      .int()
      .nullable()
      .describe("How long a service may take to become HEALTHY. Null without `healthGate`."),
    deadlineAt: timestamp
      .nullable()
      .describe("The time by which the rollout must succeed. Null if it has no deadline."),
    payload: jsonObject.describe("The payload, with `[REDACTED]` in place of each secret."),
    withheld: z.array(z.string()).describe("JSON Pointers to the secrets in the payload."),
    ifUnchanged: z
      .boolean()
      .describe(
        "Whether each command runs only if the state is the one that its prepare command returned.",
      ),
    approvalId: idOf("apr")
      .nullable()
      .describe("The request for approval of the rollout. Null if the rollout needed no approval."),
  }),
);

const count = z
  .string()
  .regex(countPattern, { error: "must be a number such as 5, or a percentage such as 10%" });

/** The fields that define a rollout. Schedules have them, too. */
export const rolloutFields = {
  name: z
    .string()
    .min(1)
    .max(rolloutNameLength)
    .optional()
    .describe("A name that says what the rollout is for."),
  action: z.string().min(1).max(100).describe("An action that the services declare."),
  ...choice,
  payload: jsonObject.default({}).describe("The input of the action on each service."),
  payloadByService: mapOf(z.string(), jsonObject, maxRolloutTargets, "services")
    .default({})
    .describe(
      "Payloads for individual services, by service code. They replace `payload` for these " +
        "services.",
    ),
  confirmation: z
    .boolean()
    .default(false)
    .describe("Confirms the action, if it requires confirmation."),
  reason: z
    .string()
    .max(500)
    .optional()
    .describe("Stored with the command and in the audit trail."),
  waves: listOf(count, maxRolloutWaves)
    .superRefine((waves, { addIssue }) => {
      const text = waveWithoutGrowth(waves);
      if (text === null) return;
      const message = "must grow, because each count includes the waves before it";
      addIssue({ code: "custom", message: `${message}: ${text} does not` });
    })
    .default([])
    .describe(
      "How many services in total are done after each wave, as a number or as a percentage of all " +
        'services (rounded up). The last wave always takes the rest: ["1", "10%"] makes three waves. ' +
        "Each number or percentage must be larger than the one before it.",
    ),
  canary: selectorText
    .optional()
    .describe(
      "A selector. The chosen services that match it are the first wave, and `waves` divides the " +
        "other services. If no service matches, the request is refused. If all services match, " +
        "`canary` has no effect.",
    ),
  maxParallel: z
    .int()
    .min(1)
    .max(rolloutParallel.max)
    .default(rolloutParallel.default)
    .describe("How many services the action runs on at the same time."),
  maxFailures: count
    .default("0")
    .describe(
      "How many services may fail, as a number or as a percentage of all services (rounded " +
        "down). If more fail, the rollout ends as FAILED. At the end of the rollout, services " +
        "that are NOT_RUN count as failures, too.",
    ),
  between: between.default("continue"),
  offline: offline
    .default("skip")
    .describe(
      "What happens to services whose agent is offline: they are skipped, they wait for their agent, or " +
        "they fail.",
    ),
  healthGate: z
    .boolean()
    .default(false)
    .describe("Whether each service must also become HEALTHY after its command."),
  healthTimeoutSeconds: z
    .int()
    .min(rolloutHealthSeconds.min)
    .max(rolloutHealthSeconds.max)
    .default(rolloutHealthSeconds.default)
    .describe("With `healthGate`: the maximum time for a service to become HEALTHY."),
  deadlineSeconds: z
    .int()
    .min(1)
    .max(30 * 86_400)
    .optional()
    .describe("The rollout ends as FAILED if it has not succeeded within this time."),
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
  .describe("The ids of prepare commands of the action, by service code. Only with `ifUnchanged`.");

const seed = z
  .string()
  .max(128)
  .optional()
  .describe(
    "The `seed` of a preview. With it, the services have the same order as in the preview.",
  );

export const createRollout = namedObject("CreateRolloutRequest", {
  ...rolloutFields,
  ifUnchanged: z
    .boolean()
    .optional()
    .describe(
      "Run the action on each service only if its state is still the one that the prepare " +
        "command in `prepareCommandIds` returned. Otherwise, the service's command fails with " +
        "STATE_CHANGED. Services without a usable prepare command are left out.",
    ),
  prepareCommandIds,
  seed,
  breakGlass,
}).superRefine((request, context) => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (!choosesServices(request)) refuse("selector", choiceMissing.error);
  const { ifUnchanged, prepareCommandIds: ids } = request;
  if (ids !== undefined && !ifUnchanged) refuse("prepareCommandIds", "needs ifUnchanged");
});

export const retryRollout = namedObject("RetryRolloutRequest", {
  confirmation: z
    .boolean()
    .default(false)
    .describe("Confirms the action, if it requires confirmation."),
  rest: z
    .boolean()
    .default(false)
    .describe("Also run the action on the services where it was not run."),
  secrets: z
    .record(z.string(), json)
    .default({})
    .describe("The secrets in the payload, by JSON Pointer."),
  secretsByService: mapOf(z.string(), z.record(z.string(), json), maxRolloutTargets, "services")
    .optional()
    .describe(
      "The secrets in payloads of individual services, by service code and then by JSON Pointer.",
    ),
  prepareCommandIds: prepareCommandIds.describe(
    "The ids of new prepare commands of the action, by service code. Only if the rollout has " +
      "`ifUnchanged`.",
  ),
  seed,
  breakGlass,
});

export const rolloutPreview = namedObject("RolloutPreview", {
  seed: z
    .string()
    .describe("Determines the order of the services. Send it to get the same order again."),
  total: z.int().describe("The number of services."),
  canaries: z
    .int()
    .describe(
      "The number of services in the first wave, if `canary` makes that wave. Otherwise 0.",
    ),
  maxFailures: z.int().describe("How many services may fail."),
  requiresConfirmation: z.boolean().describe("Whether the request must be confirmed."),
  policies: z
    .array(z.string())
    .describe(
      "The approval policies that apply. If there are none, the rollout starts immediately.",
    ),
  dangerLevel: dangerLevel
    .nullable()
    .describe(
      "The highest danger level of the action on these services. Null if there are no services.",
    ),
  payload: jsonObject.describe("The payload, with `[REDACTED]` in place of each secret."),
  waves: z
    .array(
      namedObject("RolloutPreviewWave", {
        services: z
          .array(namedObject("RolloutService", chosenService))
          .describe("The services of the wave, in the order of the rollout."),
      }),
    )
    .describe("The waves, in the order in which they would run."),
  warnings: z
    .array(z.string())
    .describe(
      "Warnings about labels in the selector: those that agents can change or, if no service " +
        "matches, those that no agent or service has.",
    ),
  leftOut: z
    .array(leftOutService)
    .describe("The chosen services on which the rollout would not run."),
});

const target = {
  ...chosenService,
  position: z.int().describe("The service's place in the order of the rollout."),
  wave: z.int().describe("The number of the wave. The first wave is 1."),
  state: rolloutTargetState,
  commandId: idOf("cmd")
    .nullable()
    .describe("The command for this service. Null if none was created."),
};

const targetEndedAt = timestamp
  .nullable()
  .describe(
    "When the command ended, or when the server gave up on the service without running the action. " +
      "Null before that, and for services that were still waiting when the rollout ended.",
  );

const targetErrorCode = z
  .string()
  .nullable()
  .describe("Why the service is FAILED or NOT_RUN, as a code. Null if the rollout ended first.");
const targetErrorMessage = z.string().nullable().describe("The same reason in words.");

export const rolloutTarget = namedObject("RolloutTarget", {
  ...target,
  prepareCommandId: idOf("cmd")
    .nullable()
    .describe("With `ifUnchanged`, the prepare command that returned the state to compare."),
  endedAt: targetEndedAt,
  errorCode: targetErrorCode,
  errorMessage: targetErrorMessage,
});

export const rolloutResult = namedObject("RolloutResult", {
  ...target,
  status: commandStatus.nullable().describe("The status of the command."),
  durationMs: milliseconds.describe("How long the command ran. Null if it did not run."),
  endedAt: targetEndedAt,
  errorCode: targetErrorCode,
  errorMessage: targetErrorMessage,
  output: json
    .nullable()
    .describe(
      "The output in the command's result. Null if the result has no output, or if the " +
        "output is null.",
    ),
  lastLine: z
    .string()
    .nullable()
    .describe(
      `The last line that the command printed, at most ${lastLineLength} characters. Null ` +
        "unless the command has ended and `output` is null. `…` marks where text of the line " +
        "is missing or may be missing.",
    ),
});
