// The handlers of api/services.ts.

import type { services } from "../../api/services.ts";
import type { HandlersOf } from "../handlers.ts";
import { changeServiceLabels } from "./assigned-labels.ts";
import { deleteService } from "./service-deletion.ts";
import { getServiceHistory } from "./service-history.ts";
import { moveService } from "./service-moves.ts";
import { getService, listServices } from "./services.ts";

export const handlers: HandlersOf<typeof services> = {
  "services.list": (ctx, { query }) => listServices(ctx, query),
  "services.get": (ctx, { params }) => getService(ctx, params.serviceId),
  "services.history": (ctx, { params, query }) =>
    getServiceHistory(ctx, params.serviceId, query.days),
  "services.label": (ctx, { params, body }) =>
    changeServiceLabels(ctx, params.serviceId, body.labels),
  "services.delete": (ctx, { params }) => deleteService(ctx, params.serviceId),
  "services.move": (ctx, { params, body }) => moveService(ctx, params.serviceId, body.agentId),
};
