// Signs in to a server with a password, and signs out.

import type { ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import { AppError } from "../../domain/errors.ts";
import type { Invocation } from "../command.ts";
import { CliError, exit } from "../exit.ts";
import { connectToServer } from "./connect-to-server.ts";
import {
  changeContexts,
  findContext,
  readContexts,
  requireContext,
  type Session,
} from "./contexts.ts";
import type { ServerDestination } from "./server-destination.ts";

export type Server = Pick<ServerDestination, "url" | "ca">;

type Call = Pick<Invocation, "io" | "options" | "signal">;

/** Throws Unreachable, or UNAVAILABLE if another program responds at the URL. */
export async function requireServer(call: Call, server: Server): Promise<void> {
  await withClient(call, server, { kind: "none" }, (client) => client.call("system.version"));
}

export async function beginSession(
  call: Call,
  server: Server,
  body: { username: string; password: string },
): Promise<{ user: ReplyData<Routes["auth.login"]>["user"]; session: Session }> {
  let cookie: string | null = null;
  const onCookies = (cookies: string[]) => {
    cookie = sessionCookieIn(cookies);
  };
  const signIn = async (client: Client) => {
    const { user, csrfToken, expiresAt } = await client.call("auth.login", { body });
    if (cookie !== null && csrfToken !== null) {
      return { user, session: { cookie, csrfToken, expiresAt } };
    }
    const message = `${server.url} returned no session. Does a proxy drop its cookies?`;
    throw new CliError(exit.failed, message);
  };
  try {
    return await withClient(call, server, { kind: "none" }, signIn, { onCookies });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "UNAUTHORIZED") throw error;
    // This error does not get the usual hint to sign in.
    throw new CliError(exit.notAllowed, error.message, { code: error.code });
  }
}

/** Returns why the server could not end the session; null if it has ended, now or earlier. */
export async function endSession(call: Call, server: Server, session: Session) {
  const credential = { kind: "session", session } as const;
  try {
    await withClient(call, server, credential, (client) => client.call("auth.logout"));
    return null;
  } catch (error) {
    if (call.signal.aborted) throw error;
    const hasEnded = error instanceof AppError && error.code === "UNAUTHORIZED";
    return hasEnded ? null : (error as Error).message;
  }
}

/** Returns false if the context has no session. */
export async function signOut(call: Call, name: string): Promise<boolean> {
  const { io } = call;
  const { server: url, ca, session } = requireContext(readContexts(io), name);
  if (!session) return false;
  const failure = await endSession(call, { url, ca: ca ?? undefined }, session);
  await changeContexts(io, (all) => {
    const context = findContext(all, name);
    // Keeps a session that was created in the meantime.
    if (context?.session?.cookie === session.cookie) context.session = null;
  });
  if (failure !== null) {
    io.note(
      `The session was removed here, but the server could not end it (${failure}). It remains valid there until it expires.\n`,
    );
  }
  return true;
}

async function withClient<T>(
  { io, options, signal }: Call,
  { url, ca }: Server,
  credential: ServerDestination["credential"],
  work: (client: Client) => Promise<T>,
  more?: Parameters<typeof connectToServer>[4],
): Promise<T> {
  const destination: ServerDestination = { kind: "server", url, ca, credential, context: null };
  const client = connectToServer(io, destination, options, signal, more);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Ignores cookies that proxies add. */
function sessionCookieIn(cookies: string[]): string | null {
  const pairs = cookies.map((cookie) => cookie.split(";", 1)[0]?.trim() ?? "");
  return pairs.find((pair) => /^(__Host-)?platform_session=./.test(pair)) ?? null;
}
