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
      commandsExpired: z.int().describe("How many commands FAILED because their time was up."),
      registrationTokensExpired: z.int().describe("How many registration tokens became EXPIRED."),
      sessionsEnded: z.int().describe("How many expired sessions were deleted."),
      auditEventsPruned: z.int().describe("How many old audit events were deleted."),
      busEventsPruned: z.int().describe("How many old bus events were deleted."),
      commandsPruned: z.int().describe("How many old commands were deleted."),
      rolloutsPruned: z.int().describe("How many old rollouts were deleted."),
      scheduleRunsPruned: z.int().describe("How many old runs of schedules were deleted."),
      approvalsPruned: z.int().describe("How many old requests for approval were deleted."),
      servicePeriodsPruned: z
        .int()
        .describe(
          "How many periods were deleted from the status histories of services. A period is " +
            "a time in which the status stayed the same.",
        ),
      credentialsPruned: z
        .int()
        .describe("How many tokens and API keys that are no longer valid were deleted."),
      agentsDeleted: z
        .int()
        .describe("How many agents were deleted because they were OFFLINE for too long."),
      servicesDeleted: z
        .int()
        .describe("How many services were deleted because no agent reported them for too long."),
      durationMs: z.int().describe("How long the sweep took, in milliseconds."),
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
