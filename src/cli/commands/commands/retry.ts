import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { mayBeRetried } from "../../../domain/commands/commands.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Invocation } from "../../command.ts";
import { getNamed } from "../../names/resolve.ts";
import { noteLine } from "../../terminal/notes.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { givenBypass, refuseWaitAndDetach, runQuestion } from "../../waiting-flags.ts";
import { givenSecrets, secretsFor } from "./retry-secrets.ts";
import type { CommandDetail } from "./show.ts";
import { type WaitOptions, waitUnlessDetached } from "./wait.ts";

type RetryOptions = WaitOptions & {
  set?: string[];
  yes?: boolean;
  queue?: boolean;
  breakGlass?: string;
};

/** Returns 0, 1 or 8 as `commands wait` does. */
export async function retryCommand(invocation: Invocation): Promise<number> {
  const { io, args, signal } = invocation;
  const options = invocation.options as unknown as RetryOptions;
  refuseWaitAndDetach(options);
  const api = await invocation.client();
  const original = await getNamed(api, "commands", args[0] ?? "");
  const action = await actionOf(api, original);
  const confirmation = action?.requiresConfirmation ?? false;
  // The API refuses a command that cannot be retried, so the question would be pointless.
  const asks = confirmation && mayBeRetried(original);
  const given = await givenSecrets(invocation);
  const sources = { schema: action?.inputSchema, given };
  const others = mayBeRetried(original)
    ? await secretsFor(io, original, options.set ?? [], sources)
    : {};
  const what = `Run ${original.action} (${action?.dangerLevel}) on ${original.serviceCode} again`;
  const question = runQuestion(what, options);
  await confirmOrRefuse(io, question, !asks || options.yes === true);
  const created = await api.call("commands.retry", {
    params: { commandId: original.id },
    query: { queue: options.queue ?? false },
    body: { confirmation, secrets: { ...given, ...others }, ...givenBypass(options) },
  });
  if (created.command?.expectedState) noteLine(io, options, "STATE_CHECKED", stateNote);
  return (await waitUnlessDetached({ io, api, signal, options, created })).exitStatus;
}

const stateNote =
  "Like the original command, it runs only if the state is still the one that was shown for the original.";

/** Returns null if the action or its service no longer exists, which the retry then reports. */
async function actionOf(
  api: Client,
  command: CommandDetail,
): Promise<Reply<"services.get">["actions"][number] | null> {
  try {
    const { serviceId } = command;
    const { actions } = await api.call("services.get", { params: { serviceId } });
    return actions.find(({ name }) => name === command.action) ?? null;
  } catch (error) {
    if (error instanceof AppError && error.code === "SERVICE_NOT_FOUND") return null;
    throw error;
  }
}
