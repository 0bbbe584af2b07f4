import { z } from "zod";
import { defineRoutes } from "./contract/define-routes.ts";
import { namedObject } from "./contract/schema-names.ts";
import { dataLoss } from "./shapes/data-loss.ts";

export const maintenance = defineRoutes({
  "maintenance.run": {
    method: "POST",
    path: "/api/admin/maintenance/run",
    access: "operator",
    summary:
      "Run the maintenance sweep now: update statuses, expire what is overdue, and delete old data",
    body: namedObject("RunMaintenanceRequest", {
      trustClock: z
        .boolean()
        .optional()
        .describe("Confirms that the server's clock is right. Requires the owner role."),
    }),
    reply: namedObject("MaintenanceRun", {
      agentsOffline: z.int().describe("How many agents became OFFLINE."),
      serviceStatusesStored: z.int().describe("How many changed statuses of services were stored."),
      commandsExpired: z.int(),
      registrationTokensExpired: z.int(),
      sessionsEnded: z.int(),
      auditEventsPruned: z.int(),
      busEventsPruned: z.int(),
      commandsPruned: z.int(),
      rolloutsPruned: z.int(),
      scheduleRunsPruned: z.int(),
      approvalsPruned: z.int(),
      servicePeriodsPruned: z
        .int()
        .describe(
          "How many periods were deleted from the status histories of services. A period is " +
            "a time in which the status stayed the same.",
        ),
      credentialsPruned: z
        .int()
        .describe("How many tokens and API keys that are no longer valid were deleted."),
      agentsDeleted: z.int(),
      servicesDeleted: z.int(),
      durationMs: z.int(),
    }),
  },
  "maintenance.accept-data-loss": {
    method: "POST",
    path: "/api/admin/maintenance/accept-data-loss",
    access: "owner",
    summary:
      "Accept the loss of confirmed changes, for example after a failover to a lagging " +
      "replica; schedules and rollouts then continue. The response is 404 if no loss is " +
      "waiting to be accepted",
    reply: dataLoss,
    errors: ["NOT_FOUND"],
  },
});
