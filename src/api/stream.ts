// The live stream of what changes: a WebSocket.

import { z } from "zod";
import { type StreamType, streamTypes } from "../domain/stream.ts";
import { agentSummary } from "./agents.ts";
import { auditEvent } from "./audit/audit-events.ts";
import { defineRoutes } from "./contract/route.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { timestamp } from "./contract/schemas.ts";
import { serviceSummary } from "./services.ts";
import { commandSummary } from "./shapes/command-schemas.ts";

function messageOf<T extends StreamType, D extends z.ZodType>(name: string, type: T, data: D) {
  return namedObject(name, { type: z.literal(type), at: timestamp, data });
}

const message = named(
  "StreamMessage",
  z.discriminatedUnion("type", [
    messageOf("AuditMessage", "audit", auditEvent),
    messageOf("CommandMessage", "command", commandSummary),
    messageOf("AgentMessage", "agent", agentSummary),
    messageOf("ServiceMessage", "service", serviceSummary),
  ]),
);

const types = z
  .string()
  .max(200)
  .transform((text) => text.split(","))
  .pipe(z.array(z.enum(streamTypes)))
  .optional()
  .meta({ description: `With commas between, of ${streamTypes.join(", ")}; absent: all of them.` });

export const stream = defineRoutes({
  "stream.open": {
    method: "GET",
    path: "/api/admin/stream",
    access: "viewer",
    summary: "Watch what changes, live, over a WebSocket",
    description:
      "Once it is open every message is a JSON text: `{ type, at, data }`. `audit` brings each " +
      "audit event, in order. `agent`, `service` and `command` bring what a list shows of one that " +
      "has changed, as it is now; changes close together come as one. Nothing is sent again: read " +
      "the lists once the stream is open, and anew after each reconnect. The server closes with " +
      "1008 when the session or the API key ends, 1013 when the reader is too slow, 1001 when it " +
      "stops. A stream does not keep its session alive. The client sends nothing.",
    query: z.object({ types }),
    websocket: true,
    reply: message,
    errors: ["CSRF_INVALID"],
  },
});
