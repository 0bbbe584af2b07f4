// Creates users, signs them in, calls with their cookies, and opens another process on the
// database.

import { expect, vi } from "vitest";
import type { BodyInput } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import { createApp } from "../../../src/app.ts";
import { type Client, createClient } from "../../../src/client/client.ts";
import { localTransport } from "../../../src/client/transport-local.ts";
import type { Config } from "../../../src/config/config.ts";
import { login } from "../../../src/core/access/logins.ts";
import { authenticateSession } from "../../../src/core/access/sessions.ts";
import { type Ctx, systemContext } from "../../../src/core/context.ts";
import type { Role } from "../../../src/domain/access/principals.ts";
import type { ErrorCode } from "../../../src/domain/errors.ts";
import { openBeside, type TestApp, testWorld } from "../../helpers/app.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { outcome } from "../refusals.ts";

export const password = "a sentence of many characters";
export const otherPassword = "another sentence of many characters";

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export function addUser(
  { as }: TestApp,
  username: string,
  role: Role = "viewer",
  displayName: string | null = null,
) {
  return as("owner").call("users.create", { body: { username, displayName, password, role } });
}

export const updateUser = (
  { as }: TestApp,
  userId: string,
  body: BodyInput<Routes["users.update"]>,
) => as("owner").call("users.update", { params: { userId }, body });

export const deleteUser = ({ as }: TestApp, userId: string) =>
  as("owner").call("users.delete", { params: { userId } });

/** The default password is `otherPassword`. */
export const setPassword = ({ as }: TestApp, userId: string, newPassword = otherPassword) =>
  as("owner").call("users.set-password", { params: { userId }, body: { password: newPassword } });

export function stranger({ app }: TestApp, ip = "192.0.2.1"): Ctx {
  return { ...systemContext(app.core), principal: { kind: "anonymous" }, ip };
}

export async function signIn(
  test: TestApp,
  username: string,
  { password: given = password, ip }: { password?: string; ip?: string } = {},
): Promise<string> {
  return (await login(stranger(test, ip), username, given)).cookie;
}

/** Signs in, and returns `in` or the code of the refusal. */
export async function trySignIn(...args: Parameters<typeof signIn>): Promise<"in" | ErrorCode> {
  return outcome(signIn(...args).then(() => "in" as const));
}

/** Throws unless each sign-in is refused because the password is wrong. */
export async function failSignIn(
  test: TestApp,
  username: string,
  times: number,
  ip?: string,
): Promise<void> {
  for (let n = 0; n < times; n++) {
    const wrong = { password: `wrong ${n}`, ...(ip ? { ip } : {}) };
    expect(await trySignIn(test, username, wrong)).toBe("UNAUTHORIZED");
  }
}

/** Authenticates the cookie once, and returns a client that calls as its user. */
export async function withCookie({ app, asPrincipal }: TestApp, cookie: string): Promise<Client> {
  return asPrincipal(await authenticateSession(app.core, cookie));
}

/** Authenticates the API key once, and returns a client that calls with it. */
export async function withKey({ app, asPrincipal }: TestApp, key: string): Promise<Client> {
  return asPrincipal(await app.core.credentials.apiKey(key));
}

export async function isOpen({ app }: TestApp, cookie: string): Promise<boolean> {
  const found = await outcome(authenticateSession(app.core, cookie));
  if (found === "UNAUTHORIZED") return false;
  expect(found).toMatchObject({ kind: "user" });
  return true;
}

/** Runs `act` after the next password is checked and before the result is used. */
export function duringNextCheck({ app }: TestApp, act: () => Promise<unknown>): void {
  const { passwords } = app.core;
  const verify = passwords.verify.bind(passwords);
  vi.spyOn(passwords, "verify").mockImplementationOnce(async (...args) => {
    const fits = await verify(...args);
    await act();
    return fits;
  });
}

/** Makes the next `count` passwords arrive at the queue of hashes at the same time. */
export function arriveTogether({ app }: TestApp, how: "hash" | "verify", count: number): void {
  const { passwords } = app.core;
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  const hold = async () => {
    if (++arrived === count) all.resolve();
    await all.promise;
  };
  const { hash, verify } = passwords;
  if (how === "hash") {
    passwords.hash = (...args) => hold().then(() => hash.apply(passwords, args));
  } else {
    passwords.verify = (...args) => hold().then(() => verify.apply(passwords, args));
  }
}

/** Lists the audit rows of an action (or of a prefix that ends in `*`), oldest first. */
export async function auditOf({ as }: TestApp, action: string) {
  const query = { action, pageSize: 200 };
  return (await as("owner").page("audit-events.list", { query })).data.reverse();
}

export function anotherProcess(test: TestApp, change: Partial<Config> = {}): Client {
  const { config } = test;
  const opened = openBeside(test);
  const app = createApp({ ...config, ...change }, opened, testWorld);
  atEnd(async () => {
    await app.close();
    await opened.database.close();
  });
  const door = app.localDoor({ kind: "local", osUser: "ada" });
  return createClient(localTransport("another process", door, async () => undefined));
}

/** Returns a function that returns everything logged since this call, as one text. */
export function watchLog({ app }: TestApp): () => string {
  const lines: unknown[] = [];
  const note = (...line: unknown[]) => void lines.push(line);
  app.core.log = { debug: note, info: note, warn: note, error: note };
  return () => JSON.stringify(lines, (_, value) => (value instanceof Error ? value.stack : value));
}
