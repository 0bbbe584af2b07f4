// Handles calls from the same process, by method and path, like HTTP requests.

import type { Core } from "../core/context.ts";
import type { Call, Dispatch } from "./dispatch.ts";
import type { Answer } from "./envelope.ts";
import { refusalAnswer } from "./refusals.ts";
import { parseJsonText } from "./requests/body.ts";
import { parseQuery } from "./requests/query.ts";
import { found, type Match, matchRoute } from "./router.ts";

type Caller = Omit<Call, "route" | "params" | "query" | "body" | "readBody" | "idempotencyKey">;

/** A call by method and path. Its `body` is JSON text. */
interface PathCall {
  method: string;
  path: string;
  body: string | undefined;
  idempotencyKey?: string | undefined;
}

/** Never throws. */
export async function callPath(
  { core, dispatch }: { core: Core; dispatch: Dispatch },
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
    const { requestId } = caller;
    return refusalAnswer(core, error, { access: match?.spec.access ?? "public", requestId });
  }
}
