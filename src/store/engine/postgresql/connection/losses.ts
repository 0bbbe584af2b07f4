// Recognizes the failures that end a connection, and those after which a transaction may be
// retried.

import { StorageFailure } from "../../../../domain/storage/failures.ts";

/** The connection is gone, so it is unknown how far the server got with what was sent. */
export class ConnectionLost extends StorageFailure {
  constructor(cause: unknown) {
    super("write", "UNREACHABLE", cause);
  }
}

/**
 * After these errors, the server ends the connection: it is stopping or has crashed, or the client
 * was idle for too long.
 */
const endings = /^(08|57P0|25P03|25P04)/;

/** With these errors, the server refuses a transaction that could succeed in another attempt. */
const conflicts = /^(40001|40P01)$/;

/** Returns whether the server ends the connection with this error. */
export function isLoss(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && endings.test(code);
}

/** Returns whether the same group of writes may succeed if it runs again. */
export function isRetriable(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  const { code } = error as { code?: unknown };
  return typeof code === "string" && (conflicts.test(code) || isStalePlan(error as Error));
}

/** Whether a newer program's migration has changed a table since the statement was prepared. */
export function isStalePlan({ message }: Error): boolean {
  return message === "cached plan must not change result type";
}
