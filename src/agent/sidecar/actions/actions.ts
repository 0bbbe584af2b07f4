import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Action } from "../../services/services.ts";
import type { ActionConfig, HandlerConfig } from "../config/config.ts";
import type { Abortable, ConfigOrigin } from "../config-origin.ts";
import { runExec } from "./exec-handler.ts";
import { runHttp } from "./http-handler.ts";
import { outputOf, preparedFrom } from "./program-output.ts";

export function actionOf(config: ActionConfig, origin: ConfigOrigin): Action {
  const { prepare, execute, ...entry } = config;
  const action: Action = {
    ...entry,
    execute: async (payload, { signal }) =>
      outputOf(await run(execute, payload, { ...origin, signal })),
  };
  if (prepare === undefined) return action;
  return {
    ...action,
    prepare: async ({ signal }) => preparedFrom(await run(prepare, null, { ...origin, signal })),
  };
}

async function run({ exec, http }: HandlerConfig, payload: JsonObject | null, origin: Abortable) {
  if (exec !== undefined) return runExec(exec, payload, origin);
  if (http !== undefined) return runHttp(http, payload, origin);
  throw new Error("the handler has neither exec nor http");
}
