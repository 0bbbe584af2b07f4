// A test app behind a real listener on loopback, and plain HTTP requests to it. Every JSON response is checked
// against openapi.json.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRouter } from "../../../src/http/router.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { checkAnswer } from "../contract.ts";
import { atEnd } from "../lifetime.ts";

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** The parsed body, or the text if it is not JSON; null without one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** An object is sent as JSON; text as it is. */
  body?: unknown;
  bearer?: string;
  signal?: AbortSignal;
}

export interface ListeningApp extends TestApp {
  url: string;
  port: number;
  server: Server;
  request(method: string, path: string, options?: RequestOptions): Promise<HttpAnswer>;
  /** Ends the listener like a shutdown. */
  stopListening(): Promise<void>;
}

const route = createRouter();

export async function listenTestApp(env: Record<string, string> = {}): Promise<ListeningApp> {
  const test = openTestApp(env);
  const { app } = test;
  const http = createHttpServer(app.httpOptions);
  await new Promise<void>((resolve) => http.server.listen(0, "127.0.0.1", resolve));
  const { port } = http.server.address() as AddressInfo;
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

function checkKnownRoute(method: string, path: string, status: number, body: unknown): void {
  // Its answer has no body.
  if (method === "HEAD") return;
  let name: Parameters<typeof checkAnswer>[0] | undefined;
  try {
    name = route(method, path.split("?")[0] ?? path)?.name;
  } catch {
    return;
  }
  if (name) checkAnswer(name, status, body);
}
