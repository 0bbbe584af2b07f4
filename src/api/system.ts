import { z } from "zod";
import { storageReasons } from "../domain/storage/failures.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { jsonObject, timestamp } from "./contract/schemas.ts";

const healthStatus = named(
  "HealthStatus",
  z
    .enum(["UP", "DEGRADED", "DOWN"])
    .describe("DEGRADED: it works, but something is wrong. DOWN: it does not work."),
);
const storageReason = named("StorageReason", z.enum(storageReasons));

export const notReadyReasons = ["STOPPING", "PROGRAM_TOO_OLD", ...storageReasons] as const;
const notReadyReason = named("NotReadyReason", z.enum(notReadyReasons));

const databaseHealth = namedObject("DatabaseHealth", {
  status: healthStatus,
  kind: z.string().describe("`sqlite` or `postgresql`."),
  latencyMs: z.number().describe("How long a read of the database took."),
  reason: storageReason.optional().describe("Why the status is not UP, as a code."),
  message: z.string().optional().describe("The same reason in words."),
  warning: z
    .string()
    .optional()
    .describe("A problem that needs attention although the database works, such as a growing log."),
});

export const system = defineRoutes({
  "system.health": {
    method: "GET",
    path: "/api/system/health",
    access: "public",
    summary:
      "Get the health of the server and its database; the response is 503 if the server is DOWN",
    otherStatus: 503,
    reply: namedObject("Health", {
      status: healthStatus,
      timestamp: timestamp.describe("The current time of the server's clock."),
      version: z.string().describe("The version of the running program."),
      edition: z.string().describe("Always `ce`."),
      database: databaseHealth,
      uptimeSeconds: z.int().describe("How many seconds ago the program was started."),
      installationId: z
        .string()
        .optional()
        .describe(
          "Identifies the installation. Two servers have the same id only if they have the " +
            "same audit key.",
        ),
    }),
  },
  "system.ready": {
    method: "GET",
    path: "/api/system/ready",
    access: "public",
    summary:
      "Check whether the server can take calls; the response is 503 if it is stopping or " +
      "cannot use its database",
    otherStatus: 503,
    reply: namedObject("Readiness", {
      ready: z.boolean().describe("Whether the server can take calls."),
      reason: notReadyReason.optional().describe("Why the server is not ready, as a code."),
      message: z.string().optional().describe("The same reason in words."),
    }),
  },
  "system.version": {
    method: "GET",
    path: "/api/system/version",
    access: "public",
    summary: "Get the version of the running program",
    reply: namedObject("Version", {
      version: z.string().describe("The version of the running program."),
      edition: z.string().describe("Always `ce`."),
      commit: z.string().optional().describe("The commit from which the program was built."),
      buildTime: z.string().optional().describe("When the program was built."),
    }),
  },
  "system.openapi": {
    method: "GET",
    path: "/api/system/openapi.json",
    access: "public",
    summary: "Get this API as an OpenAPI 3.1 document",
    reply: jsonObject,
    fixed: true,
    headers: { ETag: "Send it as `If-None-Match` to get 304 if the document has not changed." },
  },
});
