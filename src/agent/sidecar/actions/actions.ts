import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Action, ActionOutput } from "../../services/services.ts";
import type { ActionConfig, HandlerConfig } from "../config/config.ts";
import type { Abortable, ConfigOrigin } from "../config/config-origin.ts";
import { runExec } from "./exec-handler.ts";
import { runHttp } from "./http-handler.ts";
import { outputOf, preparedFrom } from "./program-output.ts";

/** `onExecuted` is called when the handler of an execution has ended. */
export function actionOf(
  config: ActionConfig,
  origin: ConfigOrigin,
  onExecuted: () => void,
): Action {
  const { prepare, execute, ...entry } = config;
  const action: Action = {
    ...entry,
    execute: async (payload, { signal, output }) => {
      const written = run(execute, payload, { ...origin, signal }, output);
      return outputOf(await written.finally(onExecuted));
    },
  };
  if (prepare === undefined) return action;
  return {
    ...action,
    prepare: async ({ signal, output }) =>
      preparedFrom(await run(prepare, null, { ...origin, signal }, output)),
  };
}

async function run(
  { exec, http }: HandlerConfig,
  payload: JsonObject | null,
  origin: Abortable,
  output: ActionOutput,
) {
  if (exec !== undefined) return runExec(exec, payload, origin, output);
  if (http !== undefined) return runHttp(http, payload, origin, output);
  throw new Error("the handler has neither exec nor http");
}
