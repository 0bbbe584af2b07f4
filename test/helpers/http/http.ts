// Serves a test app on a real loopback listener, and sends requests to it as any program would.
// Every JSON response is checked against openapi.json.

import type { Server } from "node:http";
import type { Role } from "../../../src/domain/principals.ts";
import { createRouter } from "../../../src/http/router.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { checkAnswer } from "../contract.ts";
import { atEnd } from "../lifetime.ts";
import { listen } from "./listen.ts";

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** The parsed body, or its text if it is not JSON, or null if there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: responses of all shapes
  body: any;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Objects are sent as JSON, text unchanged. */
  body?: unknown;
  bearer?: string;
  signal?: AbortSignal;
}

export interface ListeningApp extends TestApp {
  url: string;
  port: number;
  server: Server;
  request(method: string, path: string, options?: RequestOptions): Promise<HttpAnswer>;
  /** Stops the listener as a shutdown does. */
  stopListening(): Promise<void>;
}

const route = createRouter();

export async function listenTestApp(env: Record<string, string> = {}): Promise<ListeningApp> {
  const test = openTestApp(env);
  const { app } = test;
  const http = createHttpServer(app.httpOptions);
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
  return async (method, path, options = {}) => {
    const { bearer, body, signal } = options;
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...options.headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    const parsed = text === "" ? null : isJson ? JSON.parse(text) : text;
    checkKnownRoute(method, path, answer.status, parsed);
    return { status: answer.status, headers: answer.headers, body: parsed };
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
  answer: HttpAnswer;
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

function checkKnownRoute(method: string, path: string, status: number, body: unknown): void {
  // A response to HEAD has no body.
  if (method === "HEAD") return;
  let name: Parameters<typeof checkAnswer>[0] | undefined;
  try {
    name = route(method, path.split("?")[0] ?? path)?.name;
  } catch {
    return;
  }
  if (name) checkAnswer(name, status, body);
}
