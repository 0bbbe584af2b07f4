import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { printPart } from "../../nouns/run.ts";
import type { ListView } from "../../output/output.ts";

type Target = Reply<"rollouts.targets">[number];

const view: ListView<Target> = {
  columns: [
    { name: "wave", value: ({ wave }) => wave },
    { name: "service", value: ({ serviceCode }) => serviceCode, kind: "key" },
    { name: "state", value: ({ state }) => state, kind: "state" },
    { name: "agent", value: ({ agentCode }) => agentCode },
    { name: "ended", value: ({ endedAt }) => endedAt, kind: "time" },
    { name: "error", value: ({ errorCode }) => errorCode, kind: "cause" },
    { name: "message", value: ({ errorMessage }) => errorMessage, kind: "cause" },
    { name: "command", value: ({ commandId }) => commandId, kind: "key", wide: true },
  ],
  nameOf: ({ serviceCode }) => serviceCode,
  whenEmpty: "The rollout has no services.",
};

export async function listTargets(invocation: Invocation): Promise<void> {
  const { state, wave } = invocation.options;
  const keyOf = ({ serviceId }: Target) => serviceId;
  await printPart(invocation, nouns.rollouts, "targets", view, { state, wave }, keyOf);
}
