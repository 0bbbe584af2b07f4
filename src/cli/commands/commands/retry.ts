// `platformctl commands retry`: the same again, as a new command.

import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { resolve } from "../../names/resolve.ts";
import { viewOf } from "../../nouns/view.ts";
import { type OutputOptions, printOne } from "../../output/output.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { secretsFor } from "./retry-secrets.ts";
import { type CommandDetail, printCommand } from "./show.ts";
import { awaitCommand, exitStatusOf, noteCommand } from "./wait-for-command.ts";

type Action = Reply<"services.get">["actions"][number];

interface RetryOptions extends OutputOptions {
  set?: string[];
  yes?: boolean;
  queue?: boolean;
  detach?: boolean;
  timeout: number;
}

/** Asks again where the action wants that. Ends 0, 1 or 8 as the new command did. */
export async function retryCommand(invocation: Invocation): Promise<number> {
  const { io, args, signal } = invocation;
  const options = invocation.options as unknown as RetryOptions;
  const api = await invocation.client();
  const commandId = await resolve(api, nouns.commands, args[0] ?? "");
  const original = await api.call("commands.get", { params: { commandId } });
  const action = await actionOf(api, original);
  const confirmation = action?.requiresConfirmation ?? false;
  // One that cannot be retried is refused by the API: no question whose answer does not matter.
  const asks = confirmation && isRetryable(original);
  const secrets = isRetryable(original)
    ? await secretsFor(io, original, action?.inputSchema ?? {}, options.set ?? [])
    : {};
  const question = `Run ${original.action} (${action?.dangerLevel}) on ${original.serviceCode} again?`;
  await confirmOrRefuse(io, question, !asks || options.yes === true);
  const { command } = await api.call("commands.retry", {
    params: { commandId },
    query: { queue: options.queue ?? false },
    body: { confirmation, secrets },
  });
  if (options.detach) {
    printOne(io, options, command, viewOf<typeof command>(nouns.commands));
    return exit.done;
  }
  noteCommand(io, options, command);
  const { timeout: timeoutSeconds } = options;
  const wait = { io, api, signal, options, commandId: command.id, timeoutSeconds };
  const ended = await awaitCommand(wait);
  printCommand(io, options, ended);
  return exitStatusOf(io, ended, timeoutSeconds);
}

/** As it is declared now; null when it or its service is gone, which the API then says. */
async function actionOf(api: Client, command: CommandDetail): Promise<Action | null> {
  try {
    const { serviceId } = command;
    const { actions } = await api.call("services.get", { params: { serviceId } });
    return actions.find(({ name }) => name === command.action) ?? null;
  } catch (error) {
    if (error instanceof AppError && error.code === "SERVICE_NOT_FOUND") return null;
    throw error;
  }
}

function isRetryable({ type, status }: CommandDetail): boolean {
  return type === "ACTION_EXECUTE" && (status === "FAILED" || status === "CANCELLED");
}
