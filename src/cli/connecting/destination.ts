// Determines which server or database a command works on, and as which user. A flag overrides the
// variables, a variable overrides the current context, and an API key overrides a session. Two
// flags are an error, and so are two variables, because a wrong guess could select the wrong user.

import { resolve } from "node:path";
import {
  BadPostgresUrl,
  isPostgresUrl,
  parsePostgresUrl,
  postgresUrlForm,
  resemblesUrl,
} from "../../lib/postgres-url.ts";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import type { NoteOptions } from "../terminal/notes.ts";
import type { DestinationOptions, ServerDestination } from "./server-destination.ts";

export interface ConnectOptions extends DestinationOptions, NoteOptions {
  debug?: boolean;
  /** The Idempotency-Key of each POST. */
  requestId?: string;
}

/** `name` is for messages. `file` is an absolute path. */
export type DatabaseDestination =
  | { kind: "file"; name: string; file: string }
  /** `url` can contain a password, so it must not be shown. */
  | { kind: "postgresql"; name: string; url: string };

export type Destination = DatabaseDestination | ServerDestination;

export function idempotencyKeyOf({ requestId }: ConnectOptions): { idempotencyKey?: string } {
  return requestId === undefined ? {} : { idempotencyKey: requestId };
}

export async function findDestination(io: Io, options: DestinationOptions) {
  const named = await namedDestination(io, options);
  if (named !== null) return named;
  const { contextDestination } = await import("./server-destination.ts");
  return contextDestination(io, options, null);
}

/** Returns the database file that the command opens; null for a server or PostgreSQL. */
export async function databaseWorkedOn(io: Io, options: DestinationOptions) {
  const destination = await findDestination(io, options);
  return destination?.kind === "file" ? destination.file : null;
}

export async function requireDestination(io: Io, options: DestinationOptions) {
  const destination = await findDestination(io, options);
  if (destination) return destination;
  throw usageError(
    "no destination: give --server URL or --db DATABASE, set PLATFORM_URL or PLATFORM_DB, " +
      "or sign in once: platformctl login --server URL.",
  );
}

/** Returns the destination in flags or variables; null if there is none. */
async function namedDestination(io: Io, options: DestinationOptions): Promise<Destination | null> {
  const { server, db, context } = options;
  if ([server, db, context].filter((flag) => flag !== undefined).length > 1) {
    throw usageError("give only one of --server, --db and --context.");
  }
  if (db !== undefined) return databaseDestination(db, "--db");
  const isFlagged = server !== undefined || context !== undefined;
  const { DB, URL, CONTEXT } = isFlagged ? {} : oneVariable(io);
  if (DB) return databaseDestination(DB, "PLATFORM_DB");
  // The code for addresses, certificates and sessions is loaded only for servers.
  const { contextDestination, serverDestination } = await import("./server-destination.ts");
  if (server !== undefined) return serverDestination(io, options, server, "--server");
  if (context !== undefined) return contextDestination(io, options, context);
  if (URL) return serverDestination(io, options, URL, "PLATFORM_URL");
  return CONTEXT ? contextDestination(io, options, CONTEXT) : null;
}

/** Throws a usage error if several of the variables are set. */
function oneVariable({ env: { DB, URL, CONTEXT } }: Io): Record<string, string | undefined> {
  const all = { DB, URL, CONTEXT };
  const names = Object.entries(all).flatMap(([name, value]) => (value ? [`PLATFORM_${name}`] : []));
  if (names.length < 2) return all;
  throw usageError(
    `several destinations are set: ${names.join(", ")}. Unset all but one (\`unset ${names[0]}\`), ` +
      "or choose with --db, --server or --context.",
  );
}

/** Accepts the path of a file, or the URL of a PostgreSQL database. Throws a usage error. */
export function databaseDestination(text: string, source: string): DatabaseDestination {
  if (!isPostgresUrl(text)) {
    if (resemblesUrl(text)) {
      const problem = `${source} looks like a URL, but ${postgresUrlForm}`;
      throw usageError(`${problem}. It is not shown, because it may contain a password.`);
    }
    const file = resolve(text);
    return { kind: "file", name: file, file };
  }
  try {
    return { kind: "postgresql", name: parsePostgresUrl(text).name, url: text };
  } catch (error) {
    if (!(error instanceof BadPostgresUrl)) throw error;
    throw usageError(`${source} ${error.message}.`);
  }
}
