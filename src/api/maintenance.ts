// The sweep, asked for by an operator.

import { z } from "zod";
import { defineRoutes } from "./contract/route.ts";
import { namedObject } from "./contract/schema-names.ts";

export const maintenance = defineRoutes({
  "maintenance.run": {
    method: "POST",
    path: "/api/admin/maintenance/run",
    access: "operator",
    summary: "Sweep now: silent agents, stored statuses, everything expired, pruning",
    body: namedObject("RunMaintenanceRequest", {
      trustClock: z
        .boolean()
        .optional()
        .meta({ description: "Believe the server's clock at once; needs the role owner." }),
    }),
    reply: namedObject("MaintenanceRun", {
      agentsOffline: z.int().meta({ description: "Agents that are OFFLINE from now on." }),
      serviceStatusesStored: z.int(),
      commandsExpired: z.int(),
      registrationTokensExpired: z.int(),
      sessionsEnded: z.int(),
      auditEventsPruned: z.int(),
      busEventsPruned: z.int(),
      commandsPruned: z.int(),
      credentialsPruned: z.int(),
      agentsDeleted: z.int(),
      servicesDeleted: z.int(),
      durationMs: z.int(),
    }),
  },
});
