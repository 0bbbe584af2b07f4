// The typed client of the browser: one call for each route of the table, by fetch. The session is in a
// cookie that no script can read; what the server wants besides, the CSRF token, is kept here, in memory
// and nowhere else.

import { type CallInput, pathOf } from "../../api/contract/call.ts";
import type { Pagination, ReplyData } from "../../api/contract/route.ts";
import { wireRoutes } from "../../api/contract/wire-routes.ts";
import type { RouteName, Routes } from "../../api/index.ts";
import { ApiError, Unreachable } from "./api-error.ts";

export type Reply<N extends RouteName> = ReplyData<Routes[N]>;
export type Input<N extends RouteName> = CallInput<Routes[N]>;
/** Of any string, for the sake of the compiler's time: see `Arguments` in src/client/client.ts. */
export type Given<N extends string> = N extends RouteName ? Inputs[N] : object;
type Inputs = { [N in RouteName]: Input<N> };

export interface PageOf<N extends RouteName> {
  data: Reply<N>;
  pagination: Pagination;
}

let csrfToken: string | null = null;
let onUnauthorized = (): void => undefined;
let onStaleToken = (): void => undefined;

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** Called when the server does not know the session (any more): not one that has another after it. */
export function setOnUnauthorized(listener: () => void): void {
  onUnauthorized = listener;
}

/** Called when the CSRF token is not that of the session: somebody else has signed in on another page. */
export function setOnStaleToken(listener: () => void): void {
  onStaleToken = listener;
}

/** The route's `data`. Throws ApiError as the server refused it, or Unreachable. */
export async function call<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  signal?: AbortSignal,
): Promise<Reply<N & RouteName>> {
  return (await envelope<{ data: Reply<N & RouteName> }>(name, input as object, signal)).data;
}

/** A list's `data` with its place among all. */
export async function callPage<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  signal?: AbortSignal,
): Promise<PageOf<N & RouteName>> {
  return envelope<PageOf<N & RouteName>>(name, input as object, signal);
}

/** The answer of a route that `produces` something else than JSON; its body has not been read yet. */
export async function callResponse<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  signal?: AbortSignal,
): Promise<Response> {
  return answer(name, input as object, signal);
}

/** The name that the server gives to what it sends; null when it gives none. */
export function fileNameOf({ headers }: Response): string | null {
  return /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? null;
}

/** The address of a GET, for links that the browser follows itself. */
export function hrefOf<const N extends string>(name: N & RouteName, input: Given<N>): string {
  return pathOf(wireRoutes[name], input as object);
}

async function request(name: RouteName, input: object, signal?: AbortSignal): Promise<Response> {
  const { method } = wireRoutes[name];
  const { body } = input as { body?: unknown };
  const headers = new Headers();
  if (method !== "GET") headers.set("content-type", "application/json");
  if (csrfToken !== null) headers.set("x-csrf-token", csrfToken);
  const init: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
  if (method !== "GET") init.body = JSON.stringify(body ?? {});
  if (signal) init.signal = signal;
  try {
    return await fetch(pathOf(wireRoutes[name], input), init);
  } catch (error) {
    signal?.throwIfAborted();
    throw new Unreachable(error);
  }
}

/** With this status the server says why it is not ready: that is an answer, and no failure. */
const notReady = 503;

async function answer(name: RouteName, input: object, signal?: AbortSignal): Promise<Response> {
  const token = csrfToken;
  const response = await request(name, input as object, signal);
  if (!response.ok && !(name === "system.ready" && response.status === notReady)) {
    throw await errorFrom(response, token);
  }
  return response;
}

async function envelope<T>(name: RouteName, input: object, signal?: AbortSignal): Promise<T> {
  const response = await answer(name, input as object, signal);
  try {
    return (await response.json()) as T;
  } catch (cause) {
    throw new Unreachable(cause);
  }
}

interface Refusal {
  error?: {
    code?: string;
    message?: string;
    details?: Record<string, unknown>;
    requestId?: string | null;
  };
}

/** `token` is that of the session in which was asked. */
async function errorFrom(response: Response, token: string | null): Promise<Error> {
  const { status, headers } = response;
  const body = (await response.json().catch(() => null)) as Refusal | null;
  const { code, message, details, requestId } = body?.error ?? {};
  if (!code) return new Unreachable(new Error(`the answer was ${status}, and not of this server`));
  if (code === "UNAUTHORIZED" && status === 401 && token === csrfToken) onUnauthorized();
  if (code === "CSRF_INVALID") onStaleToken();
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  return new ApiError(status, code, message ?? code, {
    details,
    requestId,
    retryAfterSeconds: Number.isNaN(retryAfter) ? null : retryAfter,
  });
}
