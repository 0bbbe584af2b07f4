// The handlers of api/rollouts.ts.

import type { rollouts } from "../../api/rollouts.ts";
import {
  countTargets,
  listTargets,
  type TargetFilter,
} from "../../store/tables/rollouts/rollout-targets.ts";
import { listRollouts } from "../../store/tables/rollouts/rollouts.ts";
import { bulkReader } from "../context.ts";
import type { HandlersOf } from "../handlers.ts";
import { createRollout, previewRollout } from "./creation.ts";
import {
  cancelRollout,
  getRollout,
  pauseRollout,
  previewRetry,
  requireRollout,
  resumeRollout,
  retryRollout,
} from "./operations.ts";
import { listResults } from "./results.ts";
import { toRolloutSummary, toTargetView } from "./views.ts";

export const handlers: HandlersOf<typeof rollouts> = {
  "rollouts.list": async (ctx, { query }) => {
    const read = bulkReader(ctx);
    const { items, total } = await listRollouts(read, query);
    const ids = items.map(({ id }) => id);
    const counted = await countTargets(read, ids);
    return { items: items.map((rollout) => toRolloutSummary(rollout, counted)), total };
  },
  "rollouts.get": (ctx, { params }) => getRollout(ctx, params.rolloutId),
  "rollouts.targets": async (ctx, { params, query }) => {
    const read = bulkReader(ctx);
    const { id } = await requireRollout(read, params.rolloutId);
    const { items, total } = await listTargets(read, id, filterOf(query));
    return { items: items.map(toTargetView), total };
  },
  "rollouts.results": async (ctx, { params, query }) => {
    const read = bulkReader(ctx);
    const { id } = await requireRollout(read, params.rolloutId);
    return listResults(read, id, filterOf(query));
  },
  "rollouts.preview": (ctx, { body }) => previewRollout(ctx, body),
  "rollouts.create": (ctx, { body }) => createRollout(ctx, body),
  "rollouts.pause": (ctx, { params }) => pauseRollout(ctx, params.rolloutId),
  "rollouts.resume": (ctx, { params }) => resumeRollout(ctx, params.rolloutId),
  "rollouts.cancel": (ctx, { params, query }) =>
    cancelRollout(ctx, params.rolloutId, query.commands),
  "rollouts.preview-retry": (ctx, { params, body }) => previewRetry(ctx, params.rolloutId, body),
  "rollouts.retry": (ctx, { params, body }) => retryRollout(ctx, params.rolloutId, body),
};

/** Callers count waves from 1, and 0 means all waves. */
function filterOf({ wave, ...query }: TargetFilter & { wave: number }): TargetFilter {
  return { ...query, wave: wave === 0 ? undefined : wave - 1 };
}
