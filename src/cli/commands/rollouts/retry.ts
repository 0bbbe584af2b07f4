import { counted } from "../../../lib/counted.ts";
import type { Invocation } from "../../command.ts";
import { resolveRollout } from "../../names/resolve.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { givenBypass } from "../../waiting-flags.ts";
import { secretsFor } from "../commands/retry-secrets.ts";
import { followCreated } from "./watch.ts";

export async function retryRollout(invocation: Invocation): Promise<number> {
  const { io, args, options, client } = invocation;
  const api = await client();
  const params = { rolloutId: await resolveRollout(api, args[0] ?? "") };
  const rest = options.rest === true;
  const rollout = await api.call("rollouts.get", { params });
  const { action, targets } = rollout;
  const count = targets.FAILED + (rest ? targets.NOT_RUN : 0);
  const question = `Run ${action} again on ${counted(count, "service")}?`;
  // Without services, the server says why.
  await confirmOrRefuse(io, question, options.yes === true || count === 0);
  const secrets = await secretsFor(io, rollout, {}, (options.set as string[] | undefined) ?? []);
  const body = { confirmation: true, rest, secrets, ...givenBypass(options) };
  return followCreated(invocation, api, await api.call("rollouts.retry", { params, body }));
}
