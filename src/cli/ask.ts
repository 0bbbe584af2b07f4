// Asks a person for text. Never when nobody is there: then the flag that answers is named.

import { usageError } from "./exit.ts";
import type { Io } from "./io.ts";
import { atTerminal } from "./prompts.ts";

/** Where the question appears; Ctrl-C there rejects, and so does `signal`, with its reason. */
export interface Asking {
  io: Io;
  signal: AbortSignal;
}

/** Throws a usage error that names `flag` when nobody is there. Enter takes `byDefault`. */
export async function askText(
  { io, signal }: Asking,
  message: string,
  flag: string,
  byDefault?: string,
): Promise<string> {
  if (!io.interactive) throw usageError(`give ${flag}: nobody is there to ask.`);
  const config = {
    message,
    ...(byDefault === undefined ? { required: true } : { default: byDefault }),
  };
  const answer = await atTerminal(({ input }, context) => input(config, context), signal);
  return answer.trim();
}

/** What is typed is not shown, by no key. Throws a usage error that names `flag` when nobody is there. */
export async function askSecret(
  { io, signal }: Asking,
  message: string,
  flag: string,
): Promise<string> {
  if (!io.interactive) throw usageError(`give ${flag}: nobody is there to ask.`);
  const config = { message, mask: false, toggleMask: false };
  return atTerminal(({ password }, context) => password(config, context), signal);
}
