// Determines the server that a command works on, and the credential that it uses.

import { CliError, exit, usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { readCa } from "./ca-file.ts";
import type { Context, Contexts, Session } from "./contexts.ts";
import { serverUrl } from "./server-url.ts";

export interface DestinationOptions {
  server?: string;
  db?: string;
  context?: string;
  caFile?: string;
}

export interface ServerDestination {
  kind: "server";
  url: string;
  /** CA certificates in PEM; undefined means the default root CAs. */
  ca: string | undefined;
  credential: Credential;
  /** The context that the session or the URL comes from; null if there is none. */
  context: string | null;
}

type Credential =
  | { kind: "none" }
  | { kind: "apiKey"; key: string }
  | { kind: "session"; session: Session };

/** Uses the API key, or else the session in this server's context. */
export async function serverDestination(
  io: Io,
  options: DestinationOptions,
  text: string,
  source: string,
): Promise<ServerDestination> {
  const url = serverUrl(text, source);
  if (apiKeyOf(io)) return through(io, options, url, null);
  const { readContexts } = await import("./contexts.ts");
  return through(io, options, url, contextOf(readContexts(io), url));
}

/** `name` null means the current context. */
export async function contextDestination(
  io: Io,
  options: DestinationOptions,
  name: string | null,
): Promise<ServerDestination | null> {
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
