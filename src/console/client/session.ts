// Who is signed in, as the server reports at each load of the page. The browser stores nothing of it.
// (docs/decisions/0020-browsers.md)

import { useSyncExternalStore } from "react";
import { mayActAs, type Role } from "../../domain/principals.ts";
import { ApiError } from "./api-error.ts";
import { call, type Reply, setCsrfToken, setSessionListeners } from "./call.ts";
import { forgetCommands } from "./command.ts";
import { queryClient } from "./queries.ts";

type Me = Reply<"auth.me">;

export type Session =
  /** The server has not been asked yet. */
  | { kind: "unknown" }
  /** `end`: the session ended without a sign-out on this page. */
  | { kind: "anonymous"; since: "loading" | "signOut" | "end" }
  | { kind: "signedIn"; me: Me };

let session: Session = { kind: "unknown" };
const listeners = new Set<() => void>();
/** All pages of a browser share one cookie, so each announces when it changes. */
const otherPages = new BroadcastChannel("platform.session");

setSessionListeners(end, reload);
otherPages.onmessage = reload;

/** Asks the server who is signed in. Throws Unreachable, and ApiError except for a 401. */
export async function loadSession(): Promise<void> {
  const token = tokenOf(session);
  try {
    const me = await call("auth.me", {});
    // A sign-in or sign-out in the meantime is newer.
    if (token === tokenOf(session)) become({ kind: "signedIn", me });
  } catch (error) {
    // After a 401 the call has already ended the session.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
}

/** Throws ApiError: UNAUTHORIZED for a wrong name or password, RATE_LIMITED after too many attempts. */
export async function signIn(username: string, password: string): Promise<void> {
  become({ kind: "signedIn", me: await call("auth.login", { body: { username, password } }) });
  otherPages.postMessage("changed");
}

/** Throws Unreachable; the session then continues. */
export async function signOut(): Promise<void> {
  await call("auth.logout", {});
  become({ kind: "anonymous", since: "signOut" });
  otherPages.postMessage("changed");
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session);
}

/** For pages that only signed-in users see. */
export function useMe(): Me {
  const now = useSession();
  if (now.kind !== "signedIn") throw new Error("nobody is signed in");
  return now.me;
}

export function useMay(role: Role): boolean {
  const now = useSession();
  return now.kind === "signedIn" && mayActAs(now.me.user.role, role);
}

/** A failure is ignored: the next opening of the stream and the next call ask again. */
function reload(): void {
  void loadSession().catch(() => undefined);
}

function end(): void {
  if (session.kind === "anonymous") return;
  become({ kind: "anonymous", since: session.kind === "signedIn" ? "end" : "loading" });
}

function become(next: Session): void {
  // The next user must not see what the last one has seen.
  if (userIdOf(next) !== userIdOf(session)) {
    queryClient.clear();
    forgetCommands();
  }
  session = next;
  setCsrfToken(tokenOf(next));
  for (const listener of listeners) listener();
}

function userIdOf(one: Session): string | null {
  return one.kind === "signedIn" ? one.me.user.id : null;
}

/** Each session has its own. */
function tokenOf(one: Session): string | null {
  return one.kind === "signedIn" ? one.me.csrfToken : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
