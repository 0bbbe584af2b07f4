import { nouns } from "../../../api/contract/nouns.ts";
import { hasEnded } from "../../../domain/commands/commands.ts";
import { orAborted } from "../../../lib/time-limit.ts";
import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { getNamed, resolve } from "../../names/resolve.ts";
import { toJson } from "../../output/json.ts";
import { printableLine } from "../../output/printable.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import { noteFacts, noteLine } from "../../terminal/notes.ts";
import { readOutput } from "./follow-output.ts";
import type { OutputPart } from "./output-sink.ts";
import { layOutOutput } from "./output-text.ts";
import { leftAlone } from "./wait-for-command.ts";

export interface LogsOptions {
  follow?: boolean;
  timestamps?: boolean;
  output: "text" | "json" | "jsonl";
}

/** Returns 0 or, with `--follow`, 1 if the command failed or was cancelled. */
export async function showLogs(invocation: Invocation): Promise<number> {
  const { io, args, signal, client } = invocation;
  const options = invocation.options as unknown as LogsOptions;
  const { follow = false, timestamps = false, output } = options;
  const noteOptions = output === "text" ? {} : { output };
  const api = await client();
  const commandId = await resolve(api, nouns.commands, args[0] ?? "");
  const layout = layOutOutput(io, timestamps);
  const whole: OutputPart[] = [];
  const isOneArray = output === "json" && !follow;
  let isEmpty = true;
  const take = async (parts: readonly OutputPart[]) => {
    if (parts.length > 0) isEmpty = false;
    if (isOneArray) whole.push(...parts);
    else if (parts.length > 0) {
      const text =
        output === "text" ? layout.add(parts) : parts.map((part) => `${toJson(part)}\n`).join("");
      await orAborted(io.outBytes(Buffer.from(text)), signal);
    }
  };
  const reading = { io, api, signal, options: noteOptions, commandId, follow, take };
  const status = await readOutput(reading).catch((error: unknown) => {
    throw follow && error instanceof Interrupted ? leftAlone(commandId) : error;
  });
  if (isOneArray) io.out(`${toJson(whole, 2)}\n`);
  if (!follow) {
    if (!hasEnded(status) && io.interactive) io.note(`It is ${status}: -f follows its output.\n`);
    if (isEmpty && hasEnded(status) && status !== "SUCCEEDED") {
      const { errorMessage } = await getNamed(api, "commands", commandId);
      const text = `It is ${status} and has printed nothing. ${errorMessage ?? ""}`.trimEnd();
      noteLine(io, noteOptions, "NO_OUTPUT", printableLine(text));
    }
    return exit.done;
  }
  const begin = layout.isLineOpen && io.interactive ? "\n" : "";
  noteFacts(io, noteOptions, `${begin}${status}: ${commandId}`, {
    command: { id: commandId, status },
  });
  return status === "SUCCEEDED" ? exit.done : exit.failed;
}
