// Handles calls from the same process, by method and path, like HTTP requests.

import type { RouteSpec } from "../api/contract/route.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Answer } from "./envelope.ts";
import { createRefusals, type RefusalOptions } from "./refusals.ts";
import { parseJsonText } from "./requests/body.ts";
import { parseQuery } from "./requests/query.ts";
import { createRouter, found, type Match, type Router } from "./router.ts";

type Caller = Omit<
  Parameters<Dispatch>[0],
  "route" | "params" | "query" | "body" | "idempotencyKey"
>;

export interface PathsOptions extends RefusalOptions {
  dispatch: Dispatch;
}

/** The returned function never throws. Its `body` is JSON text. */
export function createPaths(options: PathsOptions, caller: Caller) {
  const { dispatch } = options;
  const refusalOf = createRefusals(options);
  let route: Router | null = null;
  return async (call: {
    method: string;
    path: string;
    body: string | undefined;
    idempotencyKey?: string | undefined;
  }): Promise<Answer> => {
    let match: Match | undefined;
    try {
      route ??= createRouter();
      const [path = "", query = ""] = splitOnce(call.path, "?");
      match = found(route(call.method, path));
      const { name, spec, params } = match;
      return await dispatch({
        ...caller,
        route: name,
        params,
        query: parseQuery(query),
        body: bodyOf(spec, call.body),
        idempotencyKey: call.idempotencyKey,
      });
    } catch (error) {
      return refusalOf(error, match, caller.requestId);
    }
  };
}

function bodyOf(spec: RouteSpec, text: string | undefined): unknown {
  return spec.method === "GET" || !text ? undefined : parseJsonText(text);
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
