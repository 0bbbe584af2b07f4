// Handles calls from the same process, by method and path, like HTTP requests.

import type { Call, Dispatch } from "./dispatch.ts";
import type { Answer } from "./envelope.ts";
import { createRefusals, type RefusalOptions } from "./refusals.ts";
import { parseJsonText } from "./requests/body.ts";
import { parseQuery } from "./requests/query.ts";
import { found, type Match, matchRoute } from "./router.ts";

type Caller = Omit<Call, "route" | "params" | "query" | "body" | "idempotencyKey">;

/** A call by method and path. Its `body` is JSON text. */
interface PathCall {
  method: string;
  path: string;
  body: string | undefined;
  idempotencyKey?: string | undefined;
}

/** Never throws. */
export async function callPath(
  { dispatch, ...options }: RefusalOptions & { dispatch: Dispatch },
  caller: Caller,
  call: PathCall,
): Promise<Answer> {
  let match: Match | undefined;
  try {
    const [path = "", ...query] = call.path.split("?");
    match = found(matchRoute(call.method, path));
    const { name, spec, params } = match;
    return await dispatch({
      ...caller,
      route: name,
      params,
      query: parseQuery(query.join("?")),
      body: spec.method === "GET" || !call.body ? undefined : parseJsonText(call.body),
      idempotencyKey: call.idempotencyKey,
    });
  } catch (error) {
    return createRefusals(options)(error, match, caller.requestId);
  }
}
