// Binds the routes of api/overview.ts to their use cases.

import type { overview } from "../../api/overview.ts";
import { getCommandsOverTime, getHealthMap, getOverview } from "../../core/fleet/overview.ts";
import type { HandlersOf } from "../dispatch.ts";

export const overviewHandlers: HandlersOf<typeof overview> = {
  "overview.get": (ctx) => getOverview(ctx),
  "overview.health-map": (ctx) => getHealthMap(ctx),
  "overview.commands": (ctx, { query }) => getCommandsOverTime(ctx, query.hours),
};
