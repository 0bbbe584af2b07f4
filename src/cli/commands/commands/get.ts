// `commands get`: prints a command as it is now, without waiting.

import { nouns } from "../../../api/contract/nouns.ts";
import { hasEnded } from "../../../domain/commands/commands.ts";
import type { CommandFunction, Invocation } from "../../command.ts";
import { getNamed, resolve } from "../../names/resolve.ts";
import { getRow } from "../../nouns/run.ts";
import { isRaw } from "../../output/output.ts";
import { readOutput } from "./follow-output.ts";
import { rawOutput } from "./raw-output.ts";
import { printCommand } from "./show.ts";

export const getCommand: CommandFunction = async (invocation) =>
  isRaw(invocation.options)
    ? printWritten(invocation)
    : getRow(nouns.commands, async () => printCommand)(invocation);

/** Prints what the action has written so far. */
async function printWritten({ io, args, signal, client }: Invocation): Promise<void> {
  const api = await client();
  const commandId = await resolve(api, nouns.commands, args[0] ?? "");
  const { take, end } = rawOutput(io, signal);
  const reading = { io, api, signal, options: {}, commandId, follow: false };
  const status = await readOutput({ ...reading, take });
  const read = () => api.call("commands.get", { params: { commandId } });
  await end(await getNamed(api, "commands", commandId), read);
  if (hasEnded(status)) return;
  io.note(`It is ${status}. For all output: platformctl commands wait ${commandId} -o output\n`);
}
