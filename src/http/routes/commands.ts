// Binds the routes of api/commands.ts to their use cases.

import type { commands } from "../../api/commands.ts";
import { cancelCommand, getCommand, listCommands } from "../../core/commands/commands.ts";
import { retryCommand } from "../../core/commands/retries.ts";
import type { HandlersOf } from "../dispatch.ts";

export const commandHandlers: HandlersOf<typeof commands> = {
  "commands.list": (ctx, { query }) => listCommands(ctx, query),
  "commands.get": (ctx, { params, query }) => getCommand(ctx, params.commandId, query.wait),
  "commands.cancel": (ctx, { params }) => cancelCommand(ctx, params.commandId),
  "commands.retry": (ctx, { params, query, body }) =>
    retryCommand(ctx, params.commandId, { ...query, ...body }),
};
