// Determines where a command works, and as whom. Flags override variables, variables override the
// current context, and an API key overrides a session.

import { resolve } from "node:path";
import { CliError, exit, usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import type { NoteOptions } from "../terminal/notes.ts";
import { readCa } from "./ca-file.ts";
import type { Context, Contexts, Session } from "./contexts.ts";
import { serverUrl } from "./server-url.ts";

export interface DestinationOptions {
  server?: string;
  db?: string;
  context?: string;
  caFile?: string;
}

export interface ConnectOptions extends DestinationOptions, NoteOptions {
  debug?: boolean;
  /** The Idempotency-Key of each POST. */
  requestId?: string;
}

/** `file` is an absolute path. */
export type Destination = { kind: "file"; file: string } | ServerDestination;

export interface ServerDestination {
  kind: "server";
  url: string;
  /** CA certificates in PEM; undefined means the default root CAs. */
  ca: string | undefined;
  credential: Credential;
  /** The context that the session or the URL comes from; null if there is none. */
  context: string | null;
}

export type Credential =
  | { kind: "none" }
  | { kind: "apiKey"; key: string }
  | { kind: "session"; session: Session };

export function idempotencyKeyOf({ requestId }: ConnectOptions): { idempotencyKey?: string } {
  return requestId === undefined ? {} : { idempotencyKey: requestId };
}

export async function findDestination(io: Io, options: DestinationOptions) {
  return (await namedDestination(io, options)) ?? (await contextDestination(io, options, null));
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
  if (server !== undefined) return serverDestination(io, options, serverUrl(server, "--server"));
  if (context !== undefined) return contextDestination(io, options, context);
  const { DB, URL, CONTEXT } = io.env;
  if (DB) return { kind: "file", file: resolve(DB) };
  if (URL) return serverDestination(io, options, serverUrl(URL, "PLATFORM_URL"));
  return CONTEXT ? contextDestination(io, options, CONTEXT) : null;
}

/** Uses the API key, or else the session in this server's context. */
async function serverDestination(io: Io, options: DestinationOptions, url: string) {
  if (apiKeyOf(io)) return through(io, options, url, null);
  const { readContexts } = await import("./contexts.ts");
  return through(io, options, url, contextOf(readContexts(io), url));
}

/** `name` null means the current context. */
async function contextDestination(io: Io, options: DestinationOptions, name: string | null) {
  const { readContexts, requireContext } = await import("./contexts.ts");
  const all = readContexts(io);
  const wanted = name ?? all.current;
  if (wanted === null) return null;
  const context = requireContext(all, wanted);
  return through(io, options, context.server, context);
}

function through(
  io: Io,
  { caFile }: DestinationOptions,
  url: string,
  context: Context | null,
): ServerDestination {
  const ca = readCa(io, caFile) ?? context?.ca ?? undefined;
  const credential = apiKeyOf(io) ?? sessionOf(context);
  return { kind: "server", url, ca, credential, context: context?.name ?? null };
}

/**
 * Requires exactly this URL, because a session must not go to another scheme, host, port or path.
 */
function contextOf(all: Contexts, url: string): Context | null {
  const found = all.contexts.filter((context) => context.server === url);
  const current = found.find((context) => context.name === all.current);
  if (current || found.length < 2) return current ?? found[0] ?? null;
  const names = found.map((context) => context.name).join(", ");
  const message = `several contexts have ${url}: choose one with --context (${names}).`;
  throw new CliError(exit.usage, message, { code: "AMBIGUOUS" });
}

function apiKeyOf(io: Io): Credential | null {
  if (/[^\x21-\x7e]/.test(io.env.API_KEY ?? "")) {
    throw usageError(
      "PLATFORM_API_KEY contains a space, a line break or another invalid character.",
    );
  }
  return io.env.API_KEY ? { kind: "apiKey", key: io.env.API_KEY } : null;
}

function sessionOf(context: Context | null): Credential {
  return context?.session ? { kind: "session", session: context.session } : { kind: "none" };
}
