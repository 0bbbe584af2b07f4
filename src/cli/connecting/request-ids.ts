// `--request-id` on a server. An older server ignores request ids and would create the same thing
// twice, so the client checks that the server supports them.

import type { ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import { AppError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { factsOf } from "../../domain/route-facts.ts";
import type { Invocation } from "../command.ts";
import { usageError } from "../exit.ts";
import { noteLine } from "../terminal/notes.ts";

type Responded = ReplyData<Routes["idempotency-keys.get"]>;

/** Returns the response to the earlier request with this id; null if there was none. */
export async function answerTo(api: Client, requestId: string): Promise<Responded | null> {
  try {
    return await api.call("idempotency-keys.get", { query: { key: requestId } });
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === "IDEMPOTENCY_KEY_NOT_FOUND") return null;
    // The error code for a route that does not exist.
    if (code !== "NOT_FOUND") throw error;
    throw usageError("--request-id: this server is too old to support it; nothing was done.");
  }
}

/**
 * Repeats the call with which an earlier run with the same request id created something. `create`
 * gets the `data` of the first response. Returns null if there was no such call, or if its content
 * was different.
 */
export async function createdBefore<T>(
  { io, options }: Pick<Invocation, "io" | "options">,
  api: Client,
  route: "rollouts.create" | "schedules.create",
  create: (answer: JsonObject) => Promise<T>,
): Promise<T | null> {
  const { requestId } = options;
  const found = typeof requestId === "string" ? await answerTo(api, requestId) : null;
  if (found?.route !== route) return null;
  try {
    const created = await create(found.answer as JsonObject);
    const what = route === "rollouts.create" ? "rollout" : "schedule";
    const text = `An earlier run with this request id created the ${what}.`;
    noteLine(io, options, "ALREADY_RUN", text);
    return created;
  } catch (error) {
    if (error instanceof AppError && error.code === "IDEMPOTENCY_KEY_REUSED") return null;
    throw error;
  }
}

/** Checks before the first POST that the server supports request ids. */
export function onlyWithRequestIds(api: Client, requestId: string): Client {
  let checked: Promise<unknown> | null = null;
  const check = async (method: string) => {
    if (method !== "POST") return;
    checked ??= answerTo(api, requestId);
    await checked;
  };
  return {
    ...api,
    get reached() {
      return api.reached;
    },
    async call(name, ...input) {
      await check(factsOf(name).method);
      return api.call(name, ...input);
    },
    async request(request) {
      await check(request.method);
      return api.request(request);
    },
  };
}
