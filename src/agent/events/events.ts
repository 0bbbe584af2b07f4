// The events that an agent emits to its program. They contain no payloads, results or tokens.

import type { CommandStatus, CommandType } from "../../domain/commands.ts";
import { isoTime } from "../../lib/iso-time.ts";

interface OfCommand {
  commandId: string;
  commandType: CommandType;
  serviceCode: string;
  action: string;
}

interface OfEvent {
  serviceCode: string;
  /** The event's own id. */
  eventId: string;
}

type Facts =
  /** The agent used a registration token and stored its own token. */
  | { type: "registered"; agentId: string }
  /** The agent uses its token at another URL, whose server has proved to be the same. */
  | { type: "server.moved" }
  /** The server did not accept the agent's name, version, runtime and labels in a heartbeat. */
  | { type: "description.refused"; code: string }
  | { type: "reported"; services: number }
  /**
   * The server refuses a service: it belongs to another agent (`agentCode`), or there are too many.
   * Emitted once per change. Until it changes, the agent cannot publish for this service.
   */
  | {
      type: "service.refused";
      serviceCode: string;
      reason: "SERVICE_CODE_TAKEN" | "SERVICE_LIMIT_REACHED";
      agentCode: string | null;
    }
  /** The server accepts a service that it had refused. */
  | { type: "service.accepted"; serviceCode: string }
  /** A report failed, or the server refused it. The next one follows at the usual interval. */
  | { type: "report.failed"; code: string }
  | ({ type: "command.started" } & OfCommand)
  /** `errorCode` is null for a success. */
  | ({ type: "command.finished"; errorCode: string | null; durationMs: number } & OfCommand)
  /** An operator cancelled the command: the agent stops it, or does not start it. */
  | { type: "command.cancelled"; commandId: string }
  /** A handler called `context.log`. */
  | ({ type: "command.log"; fields: object } & OfCommand)
  /** The action's schema is unusable. The command runs, because the server accepted the payload. */
  | ({ type: "payload.unchecked" } & OfCommand)
  /** Commands that waited for their turn when the agent stopped. They are delivered again. */
  | { type: "commands.left"; commandIds: string[] }
  /** The server sent a known command again; it does not run again. */
  | ({ type: "command.redelivered" } & OfCommand)
  /** The server has the result. */
  | { type: "result.acknowledged"; commandId: string; status: CommandStatus; duplicate: boolean }
  | { type: "result.retry"; commandId: string; attempt: number; delayMs: number; code: string }
  /** The server did not accept the whole result; the agent sends a short one instead. */
  | { type: "result.shortened"; commandId: string; code: string }
  /** The server does not want the result (any more); the agent does not send it again. */
  | { type: "result.dropped"; commandId: string; code: string }
  /** The bus did not accept an event yet; the agent sends it again. */
  | ({ type: "publish.retry"; attempt: number; delayMs: number; code: string } & OfEvent)
  | { type: "poll.failed"; code: string; delayMs: number }
  /** Events of a service were read and published; the bus will never accept the `skipped` ones. */
  | {
      type: "bus.forwarded";
      serviceCode: string;
      stored: number;
      duplicates: number;
      skipped: number;
    }
  /** `eventId` is null for an event without an id. */
  | { type: "bus.skipped"; serviceCode: string; eventId: string | null; code: string }
  /** Emitted once per code until `bus.restored`; the agent keeps retrying. */
  | { type: "bus.failed"; serviceCode: string; code: string; delayMs: number }
  | { type: "bus.restored"; serviceCode: string; afterMs: number }
  | { type: "connection.lost" }
  /**
   * The agent does not verify the server's certificate (`insecureSkipTlsVerify`), or uses `http:`.
   */
  | { type: "insecure" }
  | { type: "connection.restored"; afterMs: number }
  /** The server refuses the agent: its token is revoked, or it is disabled. */
  | { type: "refused"; code: string }
  /** The server accepts the agent again. */
  | { type: "accepted" }
  /** Some lines of the journal could not be read. Commands in doubt do not run again. */
  | { type: "journal.repaired"; lines: number }
  | { type: "journal.failed" }
  /** Sidecar only: a new health or version of a service, which the agent reports at once. */
  | { type: "service.health"; serviceCode: string; before: string; status: string }
  | { type: "service.version"; serviceCode: string; version: string }
  /** Emitted once per reason. The previous version remains. */
  | { type: "service.version.failed"; serviceCode: string }
  /** A bug in the agent itself. */
  | { type: "agent.failed" }
  | { type: "stopped" };

export type EventLevel = "debug" | "info" | "warn" | "error";

/** `at` is ISO 8601 in UTC; `message` is a sentence for a log. */
export type AgentEvent = Facts & { at: string; level: EventLevel; message: string };

export type Emit = (level: EventLevel, message: string, facts: Facts) => void;

/** Ignores what the listener throws. */
export function createEmit(listener: ((event: AgentEvent) => void) | undefined): Emit {
  return (level, message, facts) => {
    try {
      listener?.({ ...facts, at: isoTime(Date.now()), level, message });
    } catch {
      // The agent must not depend on its listener.
    }
  };
}
