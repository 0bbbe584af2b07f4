// Finds a service by its code.

import { ApiError } from "./api-error.ts";
import { call, type Reply } from "./call.ts";

/** Returns null if no service has the code. */
export async function serviceByCode(
  code: string,
  signal: AbortSignal,
): Promise<Reply<"services.get"> | null> {
  try {
    const service = await call("services.get", { params: { serviceId: code } }, signal);
    // The server also finds a service by its id.
    return service.code === code ? service : null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
