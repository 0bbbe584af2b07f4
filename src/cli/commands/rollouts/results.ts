import { cells, leftOutText } from "../../../api/contract/cells.ts";
import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import { lastLine } from "../../../domain/output/last-line.ts";
import type { Invocation } from "../../command.ts";
import { printPart } from "../../nouns/run.ts";
import { toJson } from "../../output/json.ts";
import { isForPeople, type ListView } from "../../output/output.ts";

type Result = Reply<"rollouts.results">[number];

const view: ListView<Result> = {
  columns: [
    { name: "service", value: ({ serviceCode }) => serviceCode, kind: "key" },
    { name: "state", value: ({ state }) => state, kind: "state" },
    { name: "duration", value: cells.commandDuration },
    { name: "error", value: errorOf },
    { name: "output", value: outputOf },
    { name: "wave", value: ({ wave }) => wave, wide: true },
    { name: "agent", value: ({ agentCode }) => agentCode, wide: true },
    { name: "status", value: ({ status }) => status, kind: "state", wide: true },
    { name: "ended", value: ({ endedAt }) => endedAt, kind: "time", wide: true },
    { name: "command", value: ({ commandId }) => commandId, kind: "key", wide: true },
  ],
  nameOf: ({ serviceCode }) => serviceCode,
  whenEmpty: "The rollout has no services.",
};

export async function listResults(invocation: Invocation): Promise<void> {
  const { options, client } = invocation;
  const filters = { state: options.state, wave: options.wave };
  const keyOf = ({ serviceId }: Result) => serviceId;
  const rolloutId = await printPart(invocation, nouns.rollouts, "results", view, filters, keyOf);
  if (!isForPeople(options)) return;
  const api = await client();
  const { leftOut } = await api.call("rollouts.get", { params: { rolloutId } });
  const without = leftOutText(leftOut);
  if (without !== null) {
    invocation.io.note(`\n${without}. See which: platformctl rollouts get ${rolloutId}\n`);
  }
}

function errorOf({ errorCode, errorMessage }: Result): string {
  return [errorCode, errorMessage].filter(Boolean).join(": ");
}

/** Older servers do not return `lastLine`. */
function outputOf({ output, lastLine: printed }: Result): string | null {
  if (output === null) return printed ?? null;
  return lastLine(typeof output === "string" ? output : toJson(output));
}
