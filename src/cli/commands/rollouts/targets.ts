import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { resolve } from "../../names/resolve.ts";
import { type PageQuery, printPages } from "../../output/listing.ts";
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
  const { args, options, client } = invocation;
  const api = await client();
  const rolloutId = await resolve(api, nouns.rollouts, args[0] ?? "");
  const filters = { state: options.state, wave: options.wave };
  const fetch = (page: PageQuery) => {
    const query = { ...page, ...filters } as object;
    return api.page("rollouts.targets", { params: { rolloutId }, query });
  };
  await printPages(invocation, view, filters, fetch, ({ serviceId }) => serviceId);
}
