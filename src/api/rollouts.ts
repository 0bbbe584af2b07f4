import { z } from "zod";
import { maxRolloutTargets, workLimits } from "../domain/limits.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import {
  flagQuery,
  idParam,
  longListQuery,
  pageQuery,
  someOf,
  sortQuery,
  wholeNumberQuery,
} from "./contract/schemas.ts";
import {
  createRollout,
  retryRollout,
  rolloutDetail,
  rolloutPreview,
  rolloutResult,
  rolloutState,
  rolloutSummary,
  rolloutTarget,
  rolloutTargetState,
} from "./shapes/rollout-schemas.ts";

const one = {
  params: z.object({ rolloutId: idParam.describe("The rollout's id.") }),
  errors: ["ROLLOUT_NOT_FOUND"],
} as const;
const act = {
  ...one,
  method: "POST",
  access: "operator",
  reply: rolloutDetail,
  errors: ["ROLLOUT_NOT_FOUND", "ROLLOUT_WRONG_STATE"],
} as const;
/** Choosing the services takes about 50 ms for each thousand. */
const chooses = { workLimit: workLimits.choice, heavy: true } as const;
const choiceErrors = ["SERVICE_NOT_FOUND", "AGENT_NOT_FOUND"] as const;

const retryErrors = [
  ...["ROLLOUT_NOT_FOUND", "ROLLOUT_WRONG_STATE", "ROLLOUT_HAS_NO_TARGETS"],
  ...choiceErrors,
  "PAYLOAD_NEEDS_SECRETS",
] as const;

const targetFilters = {
  state: someOf(rolloutTargetState),
  service: z.string().max(128).optional().describe("Only the service with this code."),
  wave: wholeNumberQuery(0, maxRolloutTargets, 0).describe(
    "Only this wave. The first wave is 1, and 0 means all waves.",
  ),
};

export const rollouts = defineRoutes({
  "rollouts.list": {
    method: "GET",
    path: "/api/admin/rollouts",
    access: "viewer",
    summary: "List rollouts, newest first",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["name", "action", "createdAt", "completedAt"]),
      state: someOf(rolloutState),
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
    summary: "List the services of a rollout, in the order of the rollout",
    query: z.object({ ...pageQuery, ...targetFilters }),
    reply: z.array(rolloutTarget),
    paginated: true,
  },
  "rollouts.results": {
    ...one,
    method: "GET",
    path: "/api/admin/rollouts/:rolloutId/results",
    access: "viewer",
    summary: "List the results of a rollout, service by service, in the order of the rollout",
    description:
      "If the outputs are long, a page can have fewer rows than `pageSize`. Continue with " +
      "`pagination.next`. Only `GET /api/admin/commands/:commandId` returns one-time secrets.",
    query: longListQuery(targetFilters),
    reply: z.array(rolloutResult),
    paginated: true,
  },
  "rollouts.preview": {
    method: "POST",
    changesNothing: true,
    path: "/api/admin/rollouts/preview",
    access: "operator",
    summary:
      "Show which services a rollout would run on, wave by wave, and which it would leave out",
    body: createRollout,
    ...chooses,
    reply: rolloutPreview,
    errors: choiceErrors,
  },
  "rollouts.create": {
    method: "POST",
    path: "/api/admin/rollouts",
    access: "operator",
    summary: "Run an action on many services, in waves",
    description:
      "If a policy requires approval, the rollout is AWAITING_APPROVAL and creates no commands before it is approved.",
    body: createRollout,
    ...chooses,
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
  "rollouts.preview-retry": {
    ...one,
    method: "POST",
    changesNothing: true,
    path: "/api/admin/rollouts/:rolloutId/retry/preview",
    access: "operator",
    summary: "Show what a retry of a rollout would do, without starting it",
    body: retryRollout,
    ...chooses,
    reply: rolloutPreview,
    errors: retryErrors,
  },
  "rollouts.retry": {
    ...one,
    method: "POST",
    path: "/api/admin/rollouts/:rolloutId/retry",
    access: "operator",
    summary: "Start a new rollout that runs the action again on the services that failed",
    body: retryRollout,
    ...chooses,
    status: 201,
    idempotent: true,
    reply: rolloutDetail,
    errors: [...retryErrors, ...["CONFIRMATION_REQUIRED", "APPROVAL_REQUIRED"]] as const,
  },
});
