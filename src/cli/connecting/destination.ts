// Determines where a command works, and as whom. Flags override variables, variables override the
// current context, and an API key overrides a session.

import { resolve } from "node:path";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import type { NoteOptions } from "../terminal/notes.ts";
import type { DestinationOptions, ServerDestination } from "./server-destination.ts";

export interface ConnectOptions extends DestinationOptions, NoteOptions {
  debug?: boolean;
  /** The Idempotency-Key of each POST. */
  requestId?: string;
}

/** `file` is an absolute path. */
export type Destination = { kind: "file"; file: string } | ServerDestination;

export function idempotencyKeyOf({ requestId }: ConnectOptions): { idempotencyKey?: string } {
  return requestId === undefined ? {} : { idempotencyKey: requestId };
}

export async function findDestination(io: Io, options: DestinationOptions) {
  const named = await namedDestination(io, options);
  if (named !== null) return named;
  const { contextDestination } = await import("./server-destination.ts");
  return contextDestination(io, options, null);
}

/** Returns the database file that the command opens; null if the command uses a server. */
export async function databaseWorkedOn(io: Io, options: DestinationOptions) {
  const destination = await findDestination(io, options);
  return destination?.kind === "file" ? destination.file : null;
}

export async function requireDestination(io: Io, options: DestinationOptions) {
  const destination = await findDestination(io, options);
  if (destination) return destination;
  throw usageError(
    "no destination: give --server URL or --db FILE, set PLATFORM_URL or PLATFORM_DB, " +
      "or sign in once: platformctl login --server URL.",
  );
}

/** Returns the destination in flags or variables; null if there is none. */
async function namedDestination(io: Io, options: DestinationOptions): Promise<Destination | null> {
  const { server, db, context } = options;
  if ([server, db, context].filter((flag) => flag !== undefined).length > 1) {
    throw usageError("give only one of --server, --db and --context.");
  }
  if (db !== undefined) return { kind: "file", file: resolve(db) };
  const { DB, URL, CONTEXT } = io.env;
  if (server === undefined && context === undefined && DB)
    return { kind: "file", file: resolve(DB) };
  // Addresses, certificates and sessions are loaded only for servers.
  const { contextDestination, serverDestination } = await import("./server-destination.ts");
  if (server !== undefined) return serverDestination(io, options, server, "--server");
  if (context !== undefined) return contextDestination(io, options, context);
  if (URL) return serverDestination(io, options, URL, "PLATFORM_URL");
  return CONTEXT ? contextDestination(io, options, CONTEXT) : null;
}
