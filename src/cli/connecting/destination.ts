// Where a command works and as whom: flag beats variable beats current context; a key beats a session.
// Nothing is asked here, neither server nor file; contexts are loaded only where they count.

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
  /** Sent with each POST as its Idempotency-Key. */
  requestId?: string;
}

export type Destination = FileDestination | ServerDestination;

export interface FileDestination {
  kind: "file";
  /** An absolute path. */
  file: string;
}

export interface ServerDestination {
  kind: "server";
  url: string;
  /** Certificates in PEM; undefined: the well-known authorities. */
  ca: string | undefined;
  credential: Credential;
  /** Where the session or the URL comes from; null for none. */
  context: string | null;
}

export type Credential =
  | { kind: "none" }
  | { kind: "apiKey"; key: string }
  | { kind: "session"; session: Session };

/** Passed with every call of the command. */
export function idempotencyKeyOf({ requestId }: ConnectOptions): { idempotencyKey?: string } {
  return requestId === undefined ? {} : { idempotencyKey: requestId };
}

/** Null when nothing says where. Throws a usage error when two flags do. */
export async function findDestination(
  io: Io,
  options: DestinationOptions,
): Promise<Destination | null> {
  return (await namedDestination(io, options)) ?? (await contextDestination(io, options, null));
}

/** The database file that a command opens itself; null when it asks a server, or nothing says where. */
export async function databaseWorkedOn(
  io: Io,
  options: DestinationOptions,
): Promise<string | null> {
  const destination = await findDestination(io, options);
  return destination?.kind === "file" ? destination.file : null;
}

/** Throws a usage error when nothing says where. */
export async function requireDestination(
  io: Io,
  options: DestinationOptions,
): Promise<Destination> {
  const destination = await findDestination(io, options);
  if (destination) return destination;
  throw usageError(
    "say where to work: --server URL or --db FILE (or set PLATFORM_URL or PLATFORM_DB); " +
      "or sign in once: platformctl login --server URL.",
  );
}

/** What flags and variables say; null when they say nothing. */
async function namedDestination(io: Io, options: DestinationOptions): Promise<Destination | null> {
  const { server, db, context } = options;
  if ([server, db, context].filter((flag) => flag !== undefined).length > 1) {
    throw usageError("give --server or --db or --context, not two of them.");
  }
  if (db !== undefined) return { kind: "file", file: resolve(db) };
  if (server !== undefined) return serverDestination(io, options, serverUrl(server, "--server"));
  if (context !== undefined) return contextDestination(io, options, context);
  const { DB, URL, CONTEXT } = io.env;
  if (DB) return { kind: "file", file: resolve(DB) };
  if (URL) return serverDestination(io, options, serverUrl(URL, "PLATFORM_URL"));
  return CONTEXT ? contextDestination(io, options, CONTEXT) : null;
}

/** With a key nothing else is needed; without one, the session that came from this very server. */
async function serverDestination(
  io: Io,
  options: DestinationOptions,
  url: string,
): Promise<ServerDestination> {
  const ca = readCa(io, options.caFile);
  const key = apiKeyOf(io);
  if (key) return { kind: "server", url, ca, credential: key, context: null };
  const { readContexts } = await import("./contexts.ts");
  const context = contextOf(readContexts(io), url);
  return {
    kind: "server",
    url,
    ca: ca ?? context?.ca ?? undefined,
    credential: sessionOf(context),
    context: context?.name ?? null,
  };
}

/** Of the context with this name; of the current one for null. */
async function contextDestination(
  io: Io,
  options: DestinationOptions,
  name: string | null,
): Promise<ServerDestination | null> {
  const { readContexts, requireContext } = await import("./contexts.ts");
  const all = readContexts(io);
  const wanted = name ?? all.current;
  if (wanted === null) return null;
  const context = requireContext(all, wanted);
  return {
    kind: "server",
    url: context.server,
    ca: readCa(io, options.caFile) ?? context.ca ?? undefined,
    credential: apiKeyOf(io) ?? sessionOf(context),
    context: context.name,
  };
}

/**
 * The context of this server, to the letter: a session goes to no other scheme, host, port or path. Of
 * several the current one. Throws a usage error when none of several is that.
 */
function contextOf(all: Contexts, url: string): Context | null {
  const found = all.contexts.filter((context) => context.server === url);
  const current = found.find((context) => context.name === all.current);
  if (current || found.length < 2) return current ?? found[0] ?? null;
  const names = found.map((context) => context.name).join(", ");
  throw new CliError(
    exit.usage,
    `several contexts are of ${url}: choose one with --context (${names}).`,
    { code: "AMBIGUOUS" },
  );
}

/** Throws a usage error for what cannot be a key, such as two lines of a file. */
function apiKeyOf(io: Io): Credential | null {
  if (/[^\x21-\x7e]/.test(io.env.API_KEY ?? "")) {
    throw usageError("PLATFORM_API_KEY has a blank, a line break or a strange character in it.");
  }
  return io.env.API_KEY ? { kind: "apiKey", key: io.env.API_KEY } : null;
}

function sessionOf(context: Context | null): Credential {
  return context?.session ? { kind: "session", session: context.session } : { kind: "none" };
}
