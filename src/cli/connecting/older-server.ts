// A server that is older than this command line: it leaves out fields of answers that came later, ignores
// filters that it does not know, and has no route for a newer call.

import { AppError } from "../../domain/errors.ts";

/** Whether the server has no such route; what a route does not find has a code of its own. */
export function lacksRoute(error: unknown): boolean {
  return error instanceof AppError && error.code === "NOT_FOUND";
}
