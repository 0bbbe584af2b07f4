// Binds the routes of api/actions.ts to their use cases.

import type { actions } from "../../api/actions.ts";
import { executeAction, prepareAction } from "../../core/commands/actions.ts";
import type { HandlersOf } from "../dispatch.ts";

export const actionHandlers: HandlersOf<typeof actions> = {
  "actions.prepare": (ctx, { params, query }) =>
    prepareAction(ctx, params.serviceId, params.actionName, query.fromCatalog),
  "actions.execute": (ctx, { params, query, body }) =>
    executeAction(ctx, params.serviceId, params.actionName, body, query.queue),
};
