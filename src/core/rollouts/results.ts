// Lists the results of a rollout: for each service, its command's status and output.

import type { z } from "zod";
import type { rolloutResult } from "../../api/shapes/rollout-schemas.ts";
import { durationMs, hasEnded } from "../../domain/commands/commands.ts";
import { rolloutResultsBytes } from "../../domain/limits.ts";
import { lastPrintedLine } from "../../domain/output/last-line.ts";
import type { Reader } from "../../store/database.ts";
import { findLastPages } from "../../store/tables/commands/command-output.ts";
import {
  type CommandOutcome,
  findCommandOutcomes,
  findResultOutputs,
} from "../../store/tables/commands/command-results.ts";
import { listTargets, type TargetFilter } from "../../store/tables/rollouts/rollout-targets.ts";
import { boundedPage } from "../bounded-pages.ts";
import { toTargetView } from "./views.ts";

/**
 * A page ends early if its outputs are long. The outputs do not include one-time secrets, which
 * only `commands.get` shows.
 */
export async function listResults(read: Reader, rolloutId: string, filter: TargetFilter) {
  const { items, total, left } = await listTargets(read, rolloutId, filter);
  const ids = items.flatMap(({ commandId }) => commandId ?? []);
  const outcomes = await findCommandOutcomes(read, ids);
  const shown = items.slice(0, countFitting(items, outcomes));
  const commandIds = shown.flatMap(({ commandId }) => commandId ?? []);
  const outputs = await findResultOutputs(read, commandIds);
  const withoutOutput = commandIds.filter((id) => {
    const outcome = outcomes.get(id);
    return outcome && hasEnded(outcome.status) && outputs.get(id) == null;
  });
  const lastPages = await findLastPages(read, withoutOutput);
  const rows = shown.map((target): z.output<typeof rolloutResult> => {
    const { commandId } = target;
    const outcome = commandId === null ? undefined : outcomes.get(commandId);
    const { prepareCommandId: _, endedAt, ...view } = toTargetView(target);
    const lastPage = lastPages.get(commandId ?? "");
    return {
      ...view,
      errorCode: view.errorCode ?? outcome?.errorCode ?? null,
      errorMessage: view.errorMessage ?? outcome?.errorMessage ?? null,
      status: outcome?.status ?? null,
      durationMs: outcome ? durationMs(outcome.startedAt, outcome.completedAt) : null,
      endedAt,
      output: (commandId === null ? undefined : outputs.get(commandId)) ?? null,
      lastLine: lastPage ? lastPrintedLine(lastPage) : null,
    };
  });
  const last = shown.at(-1);
  const next = last && shown.length < left ? { at: last.position, key: 0 } : null;
  return boundedPage(rows, { total, isLowerBound: false, next, searchedTo: null });
}

/**
 * Returns how many of the first targets have outputs that are short enough together; at least 1.
 */
function countFitting(
  targets: readonly { commandId: string | null }[],
  outcomes: ReadonlyMap<string, CommandOutcome>,
): number {
  let bytes = 0;
  const end = targets.findIndex(({ commandId }, at) => {
    bytes += (commandId === null ? 0 : outcomes.get(commandId)?.outputBytes) ?? 0;
    return at > 0 && bytes > rolloutResultsBytes;
  });
  return end === -1 ? targets.length : end;
}
