// `--request-id` at a server: what it has answered to that id, and whether it knows such ids at all. An older
// server ignores them, and would make the same thing twice.

import type { ReplyData } from "../../api/contract/route.ts";
import { wireRoutes } from "../../api/contract/wire-routes.ts";
import type { Routes } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import { AppError } from "../../domain/errors.ts";
import { usageError } from "../exit.ts";
import { lacksRoute } from "./older-server.ts";

type Answered = ReplyData<Routes["idempotency-keys.get"]>;

/** Null when there is no answer yet. Throws a usage error when the server does not know request ids. */
export async function answerTo(api: Client, requestId: string): Promise<Answered | null> {
  try {
    return await api.call("idempotency-keys.get", { query: { key: requestId } });
  } catch (error) {
    if (error instanceof AppError && error.code === "IDEMPOTENCY_KEY_NOT_FOUND") return null;
    if (!lacksRoute(error)) throw error;
    throw usageError("--request-id: this server is too old to know it; nothing was done.");
  }
}

/** The same client; before its first POST it makes sure that the server knows request ids. */
export function onlyWithRequestIds(api: Client, requestId: string): Client {
  let looked: Promise<unknown> | null = null;
  const look = async (method: string) => {
    if (method !== "POST") return;
    looked ??= answerTo(api, requestId);
    await looked;
  };
  return {
    ...api,
    get reached() {
      return api.reached;
    },
    async call(name, ...input) {
      await look(wireRoutes[name].method);
      return api.call(name, ...input);
    },
    async request(request) {
      await look(request.method);
      return api.request(request);
    },
  };
}
