import { leftOutText } from "../../../api/contract/cells.ts";
import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { printPart } from "../../nouns/run.ts";
import type { ListView } from "../../output/output.ts";

export type Run = Reply<"schedules.runs">[number];

export const runView: ListView<Run> = {
  columns: [
    { name: "due", value: ({ dueAt }) => dueAt, kind: "time" },
    { name: "state", value: ({ state }) => state, kind: "state" },
    { name: "started", value: ({ startedAt }) => startedAt, kind: "time", minor: true },
    { name: "ended", value: ({ endedAt }) => endedAt, kind: "time", minor: true },
    { name: "ran", value: ({ commandId, rolloutId }) => commandId ?? rolloutId, kind: "key" },
    { name: "by", value: ({ trigger, requestedBy }) => requestedBy ?? trigger, minor: true },
    { name: "missed", value: ({ missedRuns }) => missedRuns || null },
    { name: "error", value: ({ errorCode }) => errorCode, kind: "cause" },
    {
      name: "message",
      value: ({ errorMessage, leftOut }) => errorMessage ?? leftOutText(leftOut),
      kind: "cause",
    },
  ],
  nameOf: ({ commandId, rolloutId, dueAt }) => commandId ?? rolloutId ?? dueAt,
  whenEmpty: "The schedule has not run yet.",
};

export async function listRuns(invocation: Invocation): Promise<void> {
  const { state } = invocation.options;
  const keyOf = ({ dueAt }: Run) => dueAt;
  await printPart(invocation, nouns.schedules, "runs", runView, { state }, keyOf);
}
