import { nouns } from "../../../api/contract/nouns.ts";
import type { Client } from "../../../client/client.ts";
import { hasEnded } from "../../../domain/rollouts/rollouts.ts";
import { counted } from "../../../lib/counted.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { resolve } from "../../names/resolve.ts";
import { allRows } from "../../output/listing.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { givenBypass, runQuestion } from "../../waiting-flags.ts";
import { secretsFor } from "../commands/retry-secrets.ts";
import { conditionOf, prepareServices, refuseRequestId, statesText } from "./prepared.ts";
import type { RolloutDetail } from "./show.ts";
import { previewText, printPreview, readByService } from "./start.ts";
import { followCreated } from "./watch.ts";

export async function retryRollout(invocation: Invocation): Promise<number> {
  const { io, args, options, client } = invocation;
  const api = await client();
  const params = { rolloutId: await resolve(api, nouns.rollouts, args[0] ?? "") };
  const rest = options.rest === true;
  const rollout = await api.call("rollouts.get", { params });
  const { action, targets, ifUnchanged } = rollout;
  const count = targets.FAILED + (rest ? targets.NOT_RUN : 0);
  if (count === 0 && targets.NOT_RUN > 0 && hasEnded(rollout.state)) throw needsRest(rollout);
  const what = `Run ${action} again on ${counted(count, "service")}`;
  const question = runQuestion(what, givenBypass(options));
  const secretsByService = await readByService(invocation, "--secrets");
  const prepared = ifUnchanged && count > 0 ? await prepareAgain(invocation, api, rollout) : null;
  const isDry = options.dryRun === true;
  if (prepared !== null && options.yes !== true && !isDry) io.note(`${statesText(prepared)}\n`);
  // If no service would run, the server's error says why.
  await confirmOrRefuse(io, question, options.yes === true || isDry || count === 0);
  const sets = (options.set as string[] | undefined) ?? [];
  const secrets = count === 0 ? {} : await secretsFor(io, rollout, sets);
  const body = {
    confirmation: true,
    rest,
    secrets,
    ...(secretsByService === undefined ? {} : { secretsByService }),
    ...(prepared === null ? {} : conditionOf(prepared)),
  };
  if (isDry) {
    const preview = await api.call("rollouts.preview-retry", { params, body });
    const states = prepared === null ? "" : statesText(prepared);
    printPreview(io, options, preview, previewText(preview) + states);
    return exit.done;
  }
  const whole = { ...body, ...givenBypass(options) };
  const created = await api.call("rollouts.retry", { params, body: whole });
  // A repeated call gets the first response, but the rollout may have changed since.
  const retried =
    options.requestId === undefined
      ? created
      : await api.call("rollouts.get", { params: { rolloutId: created.id } });
  return followCreated(invocation, api, retried);
}

function needsRest({ id, targets }: RolloutDetail): CliError {
  const message =
    `no service failed, but the action was not run on ${counted(targets.NOT_RUN, "service")}.\n` +
    `  run it there: platformctl rollouts retry ${id} --rest`;
  return new CliError(exit.conflict, message, { code: "ROLLOUT_HAS_NO_TARGETS" });
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
