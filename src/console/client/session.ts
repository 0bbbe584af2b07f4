// Keeps track of who is signed in. Each page load asks the server, because scripts cannot read the
// session cookie and the browser stores nothing else about the session.
// (docs/decisions/0020-browsers.md)

import { useSyncExternalStore } from "react";
import { mayActAs, type Role } from "../../domain/access/principals.ts";
import { ApiError } from "./api-error.ts";
import { call, type Reply, setCsrfToken, setSessionListeners } from "./call.ts";
import { forgetCommands } from "./command.ts";
import { queryClient } from "./queries.ts";
import { forgetPages } from "./recent-pages.ts";

type Me = Reply<"auth.me">;

export type Session =
  /** The server has not been asked yet. */
  | { kind: "unknown" }
  /** `end`: the session ended without a sign-out on this page. */
  | { kind: "anonymous"; since: "loading" | "signOut" | "end" }
  | { kind: "signedIn"; me: Me };

let session: Session = { kind: "unknown" };
/** Until the response to a sign-out arrives, other calls can find that the session has ended. */
let isSigningOut = false;
const listeners = new Set<() => void>();
/** All tabs of a browser share one session cookie, so they inform each other when it changes. */
const otherPages = new BroadcastChannel("platform.session");

setSessionListeners(end, reloadSession);
otherPages.onmessage = reloadSession;

/** Asks the server who is signed in. Throws Unreachable, and ApiError except for a 401. */
export async function loadSession(): Promise<void> {
  // Each session has its own token.
  const token = meOf(session)?.csrfToken;
  try {
    const me = await call("auth.me", {});
    // If the user signed in or out in the meantime, this answer is out of date.
    if (token === meOf(session)?.csrfToken) become({ kind: "signedIn", me });
  } catch (error) {
    // After a 401, `call` has already ended the session.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
}

/**
 * Throws ApiError: UNAUTHORIZED for a wrong name or password, RATE_LIMITED after too many attempts.
 */
export async function signIn(username: string, password: string): Promise<void> {
  become({ kind: "signedIn", me: await call("auth.login", { body: { username, password } }) });
  otherPages.postMessage("changed");
}

/** Throws Unreachable if the server cannot be reached; the session then continues. */
export async function signOut(): Promise<void> {
  isSigningOut = true;
  try {
    await call("auth.logout", {});
  } finally {
    isSigningOut = false;
  }
  become({ kind: "anonymous", since: "signOut" });
  otherPages.postMessage("changed");
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session);
}

/** Throws if nobody is signed in. */
export function useMe(): Me {
  const me = meOf(useSession());
  if (me === null) throw new Error("nobody is signed in");
  return me;
}

export function useMay(role: Role): boolean {
  const me = meOf(useSession());
  return me !== null && mayActAs(me.user.role, role);
}

/** Ignores a failure, because the next call or the next stream asks the server again. */
export function reloadSession(): void {
  void loadSession().catch(() => undefined);
}

function end(): void {
  if (session.kind === "anonymous") return;
  const since = session.kind === "signedIn" ? "end" : "loading";
  become({ kind: "anonymous", since: isSigningOut ? "signOut" : since });
}

function become(next: Session): void {
  // A new user must not see data that was loaded for the previous user. Before the server's first
  // response, there is no such data.
  const isFirst = session.kind === "unknown" && next.kind === "signedIn";
  if (!isFirst && meOf(next)?.user.id !== meOf(session)?.user.id) {
    queryClient.clear();
    forgetCommands();
    forgetPages();
  }
  session = next;
  setCsrfToken(meOf(next)?.csrfToken ?? null);
  for (const listener of listeners) listener();
}

function meOf(one: Session): Me | null {
  return one.kind === "signedIn" ? one.me : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
