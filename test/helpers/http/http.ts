// Serves a test app on a real loopback listener, and sends requests to it as any program would.
// Every JSON response is checked against openapi.json.

import type { Server } from "node:http";
import type { World } from "../../../src/app.ts";
import type { Role } from "../../../src/domain/access/principals.ts";
import { matchRoute } from "../../../src/http/router.ts";
import { createHttpServer, type HttpOptions } from "../../../src/http/server.ts";
import { openTestApp, type TestApp, type TestClock } from "../app.ts";
import { checkAnswer } from "../contract.ts";
import { atEnd } from "../lifetime.ts";
import { type Answer, type RequestOptions, send } from "../process/process.ts";
import { listen } from "./listen.ts";

export type { Answer as HttpAnswer, RequestOptions };

export interface ListeningApp extends TestApp {
  url: string;
  port: number;
  server: Server;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Stops the listener as a shutdown does. */
  stopListening(): Promise<void>;
}

interface ListenOptions extends Partial<HttpOptions> {
  clock?: TestClock;
  world?: Partial<World>;
}

export async function listenTestApp(
  env: Record<string, string> = {},
  { clock, world, ...options }: ListenOptions = {},
): Promise<ListeningApp> {
  const test = openTestApp(env, world, clock);
  const { app } = test;
  const http = createHttpServer({ ...app.httpOptions, ...options });
  const port = await listen(http.server);
  const url = `http://127.0.0.1:${port}`;
  let stopped: Promise<void> | null = null;
  const stopListening = () => {
    app.core.doorbell.close();
    stopped ??= http.close();
    return stopped;
  };
  atEnd(async () => {
    http.server.closeAllConnections();
    await stopListening();
  });
  return { ...test, url, port, server: http.server, stopListening, request: requester(url) };
}

function requester(url: string): ListeningApp["request"] {
  return async (method, path, options) => {
    const answer = await send(url, method, path, options);
    checkKnownRoute(method, path, answer);
    return answer;
  };
}

export function refused(status: number, code: string) {
  return { status, body: { success: false, error: { code } } };
}

export const password = "correct horse battery";

/** Creates a user who is named after the role. */
export function addUser({ as }: TestApp, role: Role): Promise<unknown> {
  return as("owner").call("users.create", { body: { username: role, password, role } });
}

export interface SignedIn {
  /** The cookie, as a browser sends it back. */
  cookie: string;
  csrfToken: string;
  headers: Record<string, string>;
  answer: Answer;
}

/** Signs in a user whom `addUser` has created. */
export async function signIn(app: ListeningApp, username: string): Promise<SignedIn> {
  const body = { username, password };
  const answer = await app.request("POST", "/api/admin/auth/login", { body });
  if (answer.status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(answer.body)}`);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { csrfToken } = answer.body.data;
  return { cookie, csrfToken, headers: { cookie, "x-csrf-token": csrfToken }, answer };
}

function checkKnownRoute(method: string, path: string, { status, body }: Answer): void {
  // A response to HEAD has no body.
  if (method === "HEAD") return;
  let name: Parameters<typeof checkAnswer>[0] | undefined;
  try {
    name = matchRoute(method, path.split("?")[0] ?? path)?.name;
  } catch {
    return;
  }
  if (name) checkAnswer(name, status, body);
}
