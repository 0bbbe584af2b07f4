// The actions of the configuration, as the library takes them: the catalog's entry as it is written,
// and functions that run the program or call the service.

import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Action } from "../../services/services.ts";
import type { ActionConfig, HandlerConfig } from "../config/config.ts";
import type { Place } from "../place.ts";
import { runExec } from "./exec-handler.ts";
import { runHttp } from "./http-handler.ts";
import { outputOf, preparedFrom, type Written } from "./program-output.ts";

/** Its functions throw ActionError. That the payload fits `inputSchema` is the library's to check. */
export function actionOf(config: ActionConfig, place: Place): Action {
  const { prepare, execute, ...entry } = config;
  const action: Action = {
    ...entry,
    execute: async (payload, { signal }) => outputOf(await run(execute, payload, place, signal)),
  };
  if (prepare === undefined) return action;
  return {
    ...action,
    prepare: async ({ signal }) => preparedFrom(await run(prepare, null, place, signal)),
  };
}

async function run(
  handler: HandlerConfig,
  payload: JsonObject | null,
  place: Place,
  signal: AbortSignal,
): Promise<Written> {
  if (handler.exec !== undefined) return runExec(handler.exec, payload, place, signal);
  if (handler.http !== undefined) return runHttp(handler.http, payload, place, signal);
  throw new Error("the handler has neither exec nor http");
}
