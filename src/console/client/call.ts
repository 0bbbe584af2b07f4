// The browser's typed API client. Scripts cannot read the session cookie. The CSRF token, which the
// server also requires, is kept in memory only.

import { type CallInput, pathOf } from "../../api/contract/call.ts";
import type { Pagination, ReplyData } from "../../api/contract/route.ts";
import type { RouteName, Routes } from "../../api/index.ts";
import { factsOf } from "../../domain/route-facts.ts";
import { ApiError, type Refusal, Unreachable } from "./api-error.ts";
import { keyFor, noteOutcome } from "./repeatable.ts";

export type Reply<N extends RouteName> = ReplyData<Routes[N]>;
export type Input<N extends RouteName> = CallInput<Routes[N]> & Asked;

/** The user's confirmation. Only the dialog `Confirm` can create one. */
export type Confirmation = true & { readonly [answer]: never };
declare const answer: unique symbol;

/** A call with `confirmation: true` compiles only with the user's `Confirmation`. */
interface Asked {
  body?: { confirmation?: false | Confirmation };
}
/** Accepts any string because that compiles faster: see `Arguments` in src/client/client.ts. */
export type Given<N extends string> = N extends RouteName ? Inputs[N] : object;
type Inputs = { [N in RouteName]: Input<N> };

export interface PageOf<N extends RouteName> {
  data: Reply<N>;
  pagination: Pagination;
}

let csrfToken: string | null = null;
let onSessionEnded = (): void => undefined;
let onSessionChanged = (): void => undefined;

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** Calls `changed` when another tab has signed in, which invalidates the CSRF token. */
export function setSessionListeners(ended: () => void, changed: () => void): void {
  onSessionEnded = ended;
  onSessionChanged = changed;
}

/** Returns the route's `data`. Throws ApiError if the server refuses the call, or Unreachable. */
export async function call<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  signal?: AbortSignal,
): Promise<Reply<N & RouteName>> {
  return (await callPage(name, input, signal)).data;
}

export async function callPage<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  signal?: AbortSignal,
): Promise<PageOf<N & RouteName>> {
  if (!factsOf(name).idempotent) return readPage(name, input, signal);
  const key = keyFor(name, input);
  try {
    const page = await readPage(name, input, signal, key);
    noteOutcome(name, input, key, null);
    return page;
  } catch (error) {
    noteOutcome(name, input, key, error);
    throw error;
  }
}

async function readPage<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  signal?: AbortSignal,
  key?: string,
): Promise<PageOf<N & RouteName>> {
  const response = await callResponse(name, input, signal, key);
  try {
    return (await response.json()) as PageOf<N & RouteName>;
  } catch (cause) {
    throw new Unreachable(cause);
  }
}

/** The status with which the server reports why it is not ready. It does not count as a failure. */
const notReady = 503;

/** Returns the response without reading its body. `key` is the Idempotency-Key. */
export async function callResponse<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  signal?: AbortSignal,
  key?: string,
): Promise<Response> {
  const token = csrfToken;
  const { method } = factsOf(name);
  const { body } = input as { body?: unknown };
  const headers = new Headers();
  const init: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
  if (method !== "GET") {
    headers.set("content-type", "application/json");
    if (token !== null) headers.set("x-csrf-token", token);
    if (key !== undefined) headers.set("idempotency-key", key);
    init.body = JSON.stringify(body ?? {});
  }
  if (signal) init.signal = signal;
  const response = await fetch(hrefOf(name, input), init).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new Unreachable(error);
  });
  if (response.ok || (name === "system.ready" && response.status === notReady)) return response;
  throw await errorFrom(response, token);
}

export function fileNameOf({ headers }: Response): string | null {
  return /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? null;
}

/** Used for links that the browser follows itself. */
export function hrefOf<const N extends string>(name: N & RouteName, input: Given<N>): string {
  return pathOf(factsOf(name), input as object);
}

/** `token` is the CSRF token with which the call was sent. */
async function errorFrom(response: Response, token: string | null): Promise<Error> {
  const { status, headers } = response;
  const body = (await response.json().catch(() => null)) as { error?: Refusal } | null;
  const refusal = body?.error;
  if (!refusal?.code)
    return new Unreachable(new Error(`not a response from a Platform server: ${status}`));
  if (refusal.code === "UNAUTHORIZED" && status === 401 && token === csrfToken) onSessionEnded();
  if (refusal.code === "CSRF_INVALID") onSessionChanged();
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  return new ApiError(status, refusal, Number.isNaN(retryAfter) ? null : retryAfter);
}
