// Connects to a server or to a database. Loads only the code for one of them.

import type { Client } from "../../client/client.ts";
import { idempotencyKeyRule, isIdempotencyKey } from "../../domain/idempotency-keys.ts";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { type ConnectOptions, requireDestination } from "./destination.ts";

/**
 * Throws a usage error if there is no destination. `signal` does not stop the opening of a
 * database, so `busyTimeoutMs` limits it.
 */
export async function connect(
  io: Io,
  options: ConnectOptions,
  signal: AbortSignal = new AbortController().signal,
  busyTimeoutMs?: number,
): Promise<Client> {
  const { requestId } = options;
  if (requestId !== undefined && !isIdempotencyKey(requestId)) {
    throw usageError(`--request-id ${idempotencyKeyRule}.`);
  }
  const destination = await requireDestination(io, options);
  if (destination.kind !== "server") {
    const { connectToDatabase } = await import("./connect-to-database.ts");
    return connectToDatabase(io, destination, options, signal, busyTimeoutMs);
  }
  const { connectToServer } = await import("./connect-to-server.ts");
  const api = connectToServer(io, destination, options, signal);
  if (requestId === undefined) return api;
  const { onlyWithRequestIds } = await import("./request-ids.ts");
  return onlyWithRequestIds(api, requestId);
}
