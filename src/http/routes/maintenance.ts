// Binds the routes of api/maintenance.ts to their use cases.

import type { maintenance } from "../../api/maintenance.ts";
import { runMaintenance } from "../../core/system/maintenance.ts";
import type { HandlersOf } from "../dispatch.ts";

export const maintenanceHandlers: HandlersOf<typeof maintenance> = {
  "maintenance.run": (ctx, { body }) => runMaintenance(ctx, body.trustClock),
};
