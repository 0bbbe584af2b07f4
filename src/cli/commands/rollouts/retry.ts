import { nouns } from "../../../api/contract/nouns.ts";
import type { Client } from "../../../client/client.ts";
import { counted } from "../../../lib/counted.ts";
import type { Invocation } from "../../command.ts";
import { resolve } from "../../names/resolve.ts";
import { allRows } from "../../output/listing.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { givenBypass } from "../../waiting-flags.ts";
import { secretsFor } from "../commands/retry-secrets.ts";
import { conditionOf, prepareServices, refuseRequestId, statesText } from "./prepared.ts";
import { readByService } from "./start.ts";
import { followCreated } from "./watch.ts";

export async function retryRollout(invocation: Invocation): Promise<number> {
  const { io, args, options, client } = invocation;
  const api = await client();
  const params = { rolloutId: await resolve(api, nouns.rollouts, args[0] ?? "") };
  const rest = options.rest === true;
  const rollout = await api.call("rollouts.get", { params });
  const { action, targets, ifUnchanged } = rollout;
  const count = targets.FAILED + (rest ? targets.NOT_RUN : 0);
  const question = `Run ${action} again on ${counted(count, "service")}?`;
  const secretsByService = await readByService(invocation, "--secrets");
  const prepared = ifUnchanged && count > 0 ? await prepareAgain(invocation, api, rollout) : null;
  if (prepared !== null && options.yes !== true) io.note(`${statesText(prepared)}\n`);
  // Without services, the server says why.
  await confirmOrRefuse(io, question, options.yes === true || count === 0);
  const secrets = await secretsFor(io, rollout, {}, (options.set as string[] | undefined) ?? []);
  const body = {
    confirmation: true,
    rest,
    secrets,
    ...(secretsByService === undefined ? {} : { secretsByService }),
    ...(prepared === null ? {} : conditionOf(prepared)),
    ...givenBypass(options),
  };
  return followCreated(invocation, api, await api.call("rollouts.retry", { params, body }));
}

/** Prepares the services again, because their states have changed since the first rollout. */
async function prepareAgain(
  invocation: Invocation,
  api: Client,
  { id, action }: { id: string; action: string },
) {
  const { options } = invocation;
  refuseRequestId(options, true);
  const state = options.rest ? (["FAILED", "NOT_RUN"] as const) : "FAILED";
  const services = await allRows(
    (page) =>
      api.page("rollouts.targets", { params: { rolloutId: id }, query: { ...page, state } }),
    ({ serviceId }) => serviceId,
  );
  return prepareServices(invocation, api, action, services);
}
