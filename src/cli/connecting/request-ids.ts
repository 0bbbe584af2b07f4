// `--request-id` on a server. An older server ignores request ids and would create the same thing
// twice, so the client checks that the server supports them.

import type { ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import { AppError } from "../../domain/errors.ts";
import { factsOf } from "../../domain/route-facts.ts";
import { usageError } from "../exit.ts";

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
