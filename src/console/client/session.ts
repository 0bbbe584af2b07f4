// Who is signed in, as the server says at each load of the page; nothing of it is kept by the browser.
// (docs/decisions/0020-browsers.md)

import { useSyncExternalStore } from "react";
import { mayActAs } from "../../domain/principals.ts";
import { ApiError } from "./api-error.ts";
import { call, type Reply, setCsrfToken, setOnStaleToken, setOnUnauthorized } from "./call.ts";
import { forgetCommands } from "./command.ts";
import { queryClient } from "./queries.ts";

export type Me = Reply<"auth.me">;
export type Role = Me["user"]["role"];

export type Session =
  /** Not asked yet. */
  | { kind: "unknown" }
  /** Since when the page was loaded, since the one here has signed out, or without having been asked to. */
  | { kind: "anonymous"; since: "loading" | "signOut" | "end" }
  | { kind: "signedIn"; me: Me };

let session: Session = { kind: "unknown" };
const listeners = new Set<() => void>();
/** All pages of a browser share one cookie: each tells the others when it has got another one. */
const otherPages = new BroadcastChannel("platform.session");

setOnUnauthorized(() => end());
setOnStaleToken(() => reload());
otherPages.onmessage = reload;

/** Asks the server who this is. Throws Unreachable, and ApiError for what is no 401. */
export async function loadSession(): Promise<void> {
  const token = tokenOf(session);
  try {
    const me = await call("auth.me", {});
    // Who has signed in or out meanwhile is known better already.
    if (token === tokenOf(session)) become({ kind: "signedIn", me });
  } catch (error) {
    // The call has told that nobody is signed in.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
}

/** Throws ApiError: UNAUTHORIZED for a wrong name or password, RATE_LIMITED after too many. */
export async function signIn(username: string, password: string): Promise<void> {
  become({ kind: "signedIn", me: await call("auth.login", { body: { username, password } }) });
  otherPages.postMessage("changed");
}

/** Throws Unreachable: then the session goes on. */
export async function signOut(): Promise<void> {
  await call("auth.logout", {});
  become({ kind: "anonymous", since: "signOut" });
  otherPages.postMessage("changed");
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session);
}

/** Of somebody who is signed in: pages are shown to nobody else. */
export function useMe(): Me {
  const now = useSession();
  if (now.kind !== "signedIn") throw new Error("nobody is signed in");
  return now.me;
}

/** Whether the one who is signed in may do what needs this role. */
export function useMay(role: Role): boolean {
  const now = useSession();
  return now.kind === "signedIn" && mayActAs(now.me.user.role, role);
}

/** What cannot be asked now is asked again when the stream is opened, or something is done. */
function reload(): void {
  void loadSession().catch(() => undefined);
}

function end(): void {
  if (session.kind === "anonymous") return;
  become({ kind: "anonymous", since: session.kind === "signedIn" ? "end" : "loading" });
}

function become(next: Session): void {
  // What one has seen is not for the next one.
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
