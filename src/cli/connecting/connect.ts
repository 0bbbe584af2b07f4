// Connects to where a command works: a server over HTTP, or the database file itself, through the same
// door. Each way is loaded when it is gone.

import type { Client } from "../../client/client.ts";
import { idempotencyKeyRule, isIdempotencyKey } from "../../domain/idempotency-keys.ts";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import type { NoteOptions } from "../terminal/notes.ts";
import { requireTarget, type TargetOptions } from "./destination.ts";

export interface ConnectOptions extends TargetOptions, NoteOptions {
  debug?: boolean;
  /** Sent with each POST as its Idempotency-Key. */
  requestId?: string;
}

/**
 * The client for where the options, variables and contexts lead; its calls end with `signal`. Throws a
 * usage error when they lead nowhere.
 */
export async function connect(
  io: Io,
  options: ConnectOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<Client> {
  const { requestId } = options;
  if (requestId !== undefined && !isIdempotencyKey(requestId)) {
    throw usageError(`--request-id ${idempotencyKeyRule}.`);
  }
  const target = await requireTarget(io, options);
  if (target.kind === "file") {
    const { connectToFile } = await import("./connect-to-file.ts");
    return connectToFile(io, target.file, options, signal);
  }
  const { connectToServer } = await import("./connect-to-server.ts");
  const api = connectToServer(io, target, options, signal);
  if (requestId === undefined) return api;
  const { onlyWithRequestIds } = await import("./request-ids.ts");
  return onlyWithRequestIds(api, requestId);
}

/** What goes with each call of the command. */
export function keyOf({ requestId }: ConnectOptions): { idempotencyKey?: string } {
  return requestId === undefined ? {} : { idempotencyKey: requestId };
}
