// What anybody may ask: is it well, what version is it, what does the API look like.

import { z } from "zod";
import { storageReasons } from "../domain/storage/failures.ts";
import { defineRoutes } from "./contract/route.ts";
import { jsonObject, timestamp } from "./contract/schemas.ts";

const probeStatus = z.enum(["UP", "DEGRADED", "DOWN"]);

export const system = defineRoutes({
  "system.health": {
    method: "GET",
    path: "/api/system/health",
    access: "public",
    summary: "Health of the service and its database; 503 when it is DOWN",
    otherStatus: 503,
    reply: z.object({
      status: probeStatus,
      timestamp,
      version: z.string(),
      edition: z.string(),
      database: z.object({
        status: probeStatus,
        kind: z.string(),
        latencyMs: z.number(),
        reason: z.enum(storageReasons).optional(),
        message: z.string().optional(),
      }),
      uptimeSeconds: z.int(),
    }),
  },
  "system.ready": {
    method: "GET",
    path: "/api/system/ready",
    access: "public",
    summary: "Whether this server may be given work; 503 when it is stopping or cannot write",
    otherStatus: 503,
    reply: z.object({
      ready: z.boolean(),
      reason: z.enum(["STOPPING", ...storageReasons]).optional(),
      message: z.string().optional(),
    }),
  },
  "system.version": {
    method: "GET",
    path: "/api/system/version",
    access: "public",
    summary: "Version of the running program",
    reply: z.object({
      version: z.string(),
      edition: z.string(),
      commit: z.string().optional(),
      buildTime: z.string().optional(),
    }),
  },
  "system.openapi": {
    method: "GET",
    path: "/api/system/openapi.json",
    access: "public",
    summary: "This API as an OpenAPI 3.1 document",
    reply: jsonObject,
    raw: true,
    fixed: true,
    headers: { ETag: "Of this document: sent back as If-None-Match, it is answered 304." },
  },
});
