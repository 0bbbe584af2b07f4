// Who is signed in, as the server says at each load of the page; nothing of it is kept by the browser.
// (`service.md` "Authentication" 4)

import { useSyncExternalStore } from "react";
import { ApiError } from "./api-error.ts";
import { call, type Reply, setCsrfToken, setOnUnauthorized } from "./call.ts";

export type Me = Reply<"auth.me">;
export type Role = Me["user"]["role"];

export type Session =
  /** Not asked yet. */
  { kind: "unknown" } | { kind: "anonymous" } | { kind: "signedIn"; me: Me };

const ranks: Record<Role, number> = { viewer: 0, operator: 1, owner: 2 };

let session: Session = { kind: "unknown" };
const listeners = new Set<() => void>();

setOnUnauthorized(() => become({ kind: "anonymous" }));

/** Asks the server who this is. Throws Unreachable, and ApiError for what is no 401. */
export async function loadSession(): Promise<void> {
  try {
    become({ kind: "signedIn", me: await call("auth.me", {}) });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) become({ kind: "anonymous" });
    else throw error;
  }
}

/** Throws ApiError: UNAUTHORIZED for a wrong name or password, RATE_LIMITED after too many. */
export async function signIn(username: string, password: string): Promise<void> {
  become({ kind: "signedIn", me: await call("auth.login", { body: { username, password } }) });
}

export async function signOut(): Promise<void> {
  await call("auth.logout", {});
  become({ kind: "anonymous" });
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
  return now.kind === "signedIn" && ranks[now.me.user.role] >= ranks[role];
}

function become(next: Session): void {
  if (next.kind === "anonymous" && session.kind === "anonymous") return;
  session = next;
  setCsrfToken(next.kind === "signedIn" ? next.me.csrfToken : null);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
