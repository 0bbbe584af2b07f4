import { nouns } from "../../../api/contract/nouns.ts";
import type { Invocation } from "../../command.ts";
import { resolve } from "../../names/resolve.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { printRollout } from "./show.ts";

export async function cancelRollout({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const params = { rolloutId: await resolve(api, nouns.rollouts, args[0] ?? "") };
  const commands = options.commands === true;
  const what = commands
    ? "and cancel its commands that have not ended"
    : "and let its existing commands run";
  await confirmOrRefuse(io, `Cancel the rollout ${args[0]}, ${what}?`, options.yes === true);
  printRollout(io, options, await api.call("rollouts.cancel", { params, query: { commands } }));
}
