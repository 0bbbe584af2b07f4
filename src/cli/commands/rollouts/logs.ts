import { nouns } from "../../../api/contract/nouns.ts";
import type { Client } from "../../../client/client.ts";
import { codePattern } from "../../../domain/fleet/agents.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { getNamed, refuseSecret, resolve } from "../../names/resolve.ts";
import { showLogs } from "../commands/logs.ts";

/** With a service, returns the same as `commands logs`. */
export async function showRolloutLogs(invocation: Invocation): Promise<number> {
  const [rolloutText = "", service] = invocation.args;
  const api = await invocation.client();
  const rolloutId = await resolve(api, nouns.rollouts, rolloutText);
  if (service === undefined) {
    return (await import("./all-logs.ts")).showAllLogs(invocation, api, rolloutId);
  }
  refuseSecret(nouns.services, service);
  const target =
    (codePattern.test(service) ? await targetOf(api, rolloutId, service) : undefined) ??
    (await targetOf(api, rolloutId, (await getNamed(api, "services", service)).code));
  if (!target) {
    const message = `the rollout has no service ${service}; platformctl rollouts targets ${rolloutId} lists them.`;
    throw new CliError(exit.notFound, message, { code: "SERVICE_NOT_FOUND" });
  }
  const { commandId, state, errorMessage } = target;
  if (commandId === null) {
    const why = errorMessage === null ? "" : ` ${errorMessage}`;
    const message = `${service} has no output: it is ${state}.${why}`;
    throw new CliError(exit.conflict, message, { code: "COMMAND_NOT_RUNNING" });
  }
  return showLogs({ ...invocation, args: [commandId] });
}

/** A code may belong to a service that has been deleted since. */
async function targetOf(api: Client, rolloutId: string, service: string) {
  const query = { service };
  const [target] = await api.call("rollouts.targets", { params: { rolloutId }, query });
  return target;
}
