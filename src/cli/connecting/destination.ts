// Where a command works and as whom: flag beats variable beats current context; a key beats a session.
// Nothing is asked here, neither server nor file; contexts are loaded only where they count.

import { resolve } from "node:path";
import { CliError, exit, usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { readCa } from "./ca-file.ts";
import type { Context, Contexts, Session } from "./contexts.ts";
import { serverUrl } from "./server-url.ts";

export interface TargetOptions {
  server?: string;
  db?: string;
  context?: string;
  caFile?: string;
}

export type Target = FileTarget | ServerTarget;

export interface FileTarget {
  kind: "file";
  /** An absolute path. */
  file: string;
}

export interface ServerTarget {
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

/** Null when nothing says where. Throws a usage error when two flags do. */
export async function findTarget(io: Io, options: TargetOptions): Promise<Target | null> {
  return (await targetOf(io, options)) ?? (await contextTarget(io, options, null));
}

/** The database file that a command opens itself; null when it asks a server, or nothing says where. */
export async function databaseWorkedOn(io: Io, options: TargetOptions): Promise<string | null> {
  const target = await findTarget(io, options);
  return target?.kind === "file" ? target.file : null;
}

/** Throws a usage error when nothing says where. */
export async function requireTarget(io: Io, options: TargetOptions): Promise<Target> {
  const target = await findTarget(io, options);
  if (target) return target;
  throw usageError(
    "say where to work: --server URL or --db FILE (or set PLATFORM_URL or PLATFORM_DB); " +
      "or sign in once: platformctl login --server URL.",
  );
}

/** What flags and variables say; null when they say nothing. */
async function targetOf(io: Io, options: TargetOptions): Promise<Target | null> {
  const { server, db, context } = options;
  if ([server, db, context].filter((flag) => flag !== undefined).length > 1) {
    throw usageError("give --server or --db or --context, not two of them.");
  }
  if (db !== undefined) return { kind: "file", file: resolve(db) };
  if (server !== undefined) return serverTarget(io, options, serverUrl(server, "--server"));
  if (context !== undefined) return contextTarget(io, options, context);
  const { DB, URL, CONTEXT } = io.env;
  if (DB) return { kind: "file", file: resolve(DB) };
  if (URL) return serverTarget(io, options, serverUrl(URL, "PLATFORM_URL"));
  return CONTEXT ? contextTarget(io, options, CONTEXT) : null;
}

/** With a key nothing else is needed; without one, the session that came from this very server. */
async function serverTarget(io: Io, options: TargetOptions, url: string): Promise<ServerTarget> {
  const ca = readCa(io, options.caFile);
  const key = keyOf(io);
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
async function contextTarget(
  io: Io,
  options: TargetOptions,
  name: string | null,
): Promise<ServerTarget | null> {
  const { readContexts, requireContext } = await import("./contexts.ts");
  const all = readContexts(io);
  const wanted = name ?? all.current;
  if (wanted === null) return null;
  const context = requireContext(all, wanted);
  return {
    kind: "server",
    url: context.server,
    ca: readCa(io, options.caFile) ?? context.ca ?? undefined,
    credential: keyOf(io) ?? sessionOf(context),
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
function keyOf(io: Io): Credential | null {
  if (/[^\x21-\x7e]/.test(io.env.API_KEY ?? "")) {
    throw usageError("PLATFORM_API_KEY has a blank, a line break or a strange character in it.");
  }
  return io.env.API_KEY ? { kind: "apiKey", key: io.env.API_KEY } : null;
}

function sessionOf(context: Context | null): Credential {
  return context?.session ? { kind: "session", session: context.session } : { kind: "none" };
}
