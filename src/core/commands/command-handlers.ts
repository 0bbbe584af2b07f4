// The handlers of api/commands.ts.

import type { commands } from "../../api/commands.ts";
import type { HandlersOf } from "../handlers.ts";
import { cancelCommand, getCommand, listCommands } from "./commands.ts";
import { readOutput } from "./output.ts";
import { retryCommand } from "./retries.ts";

export const handlers: HandlersOf<typeof commands> = {
  "commands.list": (ctx, { query }) => listCommands(ctx, query),
  "commands.get": (ctx, { params, query }) => getCommand(ctx, params.commandId, query),
  "commands.output": (ctx, { params, query }) => readOutput(ctx, params.commandId, query),
  "commands.cancel": (ctx, { params }) => cancelCommand(ctx, params.commandId),
  "commands.retry": (ctx, { params, query, body }) =>
    retryCommand(ctx, params.commandId, { ...query, ...body }),
};
