// Binds the routes of api/services.ts to their use cases.

import type { services } from "../../api/services.ts";
import { deleteService } from "../../core/fleet/service-deletion.ts";
import { moveService } from "../../core/fleet/service-moves.ts";
import { getService, listServices } from "../../core/fleet/services.ts";
import type { HandlersOf } from "../dispatch.ts";

export const serviceHandlers: HandlersOf<typeof services> = {
  "services.list": (ctx, { query }) => listServices(ctx, query),
  "services.get": (ctx, { params }) => getService(ctx, params.serviceId),
  "services.delete": (ctx, { params }) => deleteService(ctx, params.serviceId),
  "services.move": (ctx, { params, body }) => moveService(ctx, params.serviceId, body.agentId),
};
