// Sessions on a server, from the command line's side: begun with a password, and ended.

import type { ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import { AppError } from "../../domain/errors.ts";
import { CliError, exit } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { connectToServer } from "./connect-to-server.ts";
import {
  changeContexts,
  findContext,
  readContexts,
  requireContext,
  type Session,
} from "./contexts.ts";
import type { ServerDestination } from "./destination.ts";

/** A server, without a credential. */
export type Server = Pick<ServerDestination, "url" | "ca">;

/** What the calls here go with. */
export interface Going {
  io: Io;
  options: { debug?: boolean };
  signal: AbortSignal;
}

/** Throws Unreachable, or UNAVAILABLE when it is something else that answers there. */
export async function requireServer({ io, options, signal }: Going, server: Server): Promise<void> {
  const client = connectToServer(io, destinationAt(server, { kind: "none" }), options, signal);
  try {
    await client.call("system.version");
  } finally {
    await client.close();
  }
}

/** Begins a session. Throws what the server says: "not allowed" in its words for a wrong password. */
export async function beginSession(
  { io, options, signal }: Going,
  server: Server,
  body: { username: string; password: string },
): Promise<{ user: ReplyData<Routes["auth.login"]>["user"]; session: Session }> {
  const destination = destinationAt(server, { kind: "none" });
  let cookie: string | null = null;
  const onCookies = (cookies: string[]) => {
    cookie = sessionCookieIn(cookies);
  };
  const client = connectToServer(io, destination, options, signal, { onCookies });
  try {
    const { user, csrfToken, expiresAt } = await client.call("auth.login", { body });
    if (cookie !== null && csrfToken !== null) {
      return { user, session: { cookie, csrfToken, expiresAt } };
    }
    throw new CliError(exit.failed, `${server.url} began no session: is a proxy dropping cookies?`);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await client.close();
  }
}

/** Ends it. Answers why the server could not be asked, or null: it has ended, now or before. */
export async function endSession(
  { io, options, signal }: Going,
  server: Server,
  session: Session,
): Promise<string | null> {
  const destination = destinationAt(server, { kind: "session", session });
  const client = connectToServer(io, destination, options, signal);
  try {
    await client.call("auth.logout");
    return null;
  } catch (error) {
    if (signal.aborted) throw error;
    const ended = error instanceof AppError && error.code === "UNAUTHORIZED";
    if (ended) return null;
    return (error as Error).message;
  } finally {
    await client.close();
  }
}

/** Ends the session of a context, if there is one; answers whether there was. */
export async function signOut(going: Going, name: string): Promise<boolean> {
  const { io } = going;
  const { server: url, ca, session } = requireContext(readContexts(io), name);
  if (!session) return false;
  const failure = await endSession(going, { url, ca: ca ?? undefined }, session);
  await changeContexts(io, (all) => {
    const context = findContext(all, name);
    // Who signed in meanwhile stays signed in.
    if (context?.session?.cookie === session.cookie) context.session = null;
  });
  if (failure !== null) {
    io.note(
      `The session is forgotten here, but the server was not told (${failure}): ` +
        "there it ends by itself.\n",
    );
  }
  return true;
}

function destinationAt(
  { url, ca }: Server,
  credential: ServerDestination["credential"],
): ServerDestination {
  return { kind: "server", url, ca, credential, context: null };
}

/** `name=value` of the server's session cookie; proxies set cookies of their own. */
function sessionCookieIn(cookies: string[]): string | null {
  const pairs = cookies.map((cookie) => cookie.split(";", 1)[0]?.trim() ?? "");
  return pairs.find((pair) => /^(__Host-)?platform_session=./.test(pair)) ?? null;
}

/** Nobody who is just signing in needs to be told to do so. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "UNAUTHORIZED") return error;
  return new CliError(exit.notAllowed, error.message, { code: error.code });
}
