import { z } from "zod";
import { type StreamType, streamTypes } from "../domain/stream.ts";
import { agentSummary } from "./agents.ts";
import { auditEvent } from "./audit/audit-events.ts";
import { defineRoutes } from "./contract/define-routes.ts";
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
  .describe(`Types of messages, separated by commas: ${streamTypes.join(", ")}. By default, all.`);

export const stream = defineRoutes({
  "stream.open": {
    method: "GET",
    path: "/api/admin/stream",
    access: "viewer",
    summary: "Watch changes live over a WebSocket",
    description:
      "Every message is a JSON text: `{ type, at, data }`. Each audit event is sent as an " +
      "`audit` message, in order. Messages of the types `agent`, `service` and `command` " +
      "contain the current row of an item that has changed. If an item changes several times " +
      "in quick succession, the server can send one message for all changes. The stream does " +
      "not replay missed messages: read the lists once the stream is open, and again after each " +
      "reconnect. The server closes the stream with the close code 1008 when the session or the " +
      "API key ends, 1013 when the client reads too slowly, 1012 when the database has lost audit " +
      "rows, and 1001 when the server stops. An open stream does not extend the session. Clients " +
      "must not send messages.",
    query: z.object({ types }),
    websocket: true,
    reply: message,
    errors: ["CSRF_INVALID"],
  },
});
