// The events that an agent emits to its program. They contain no payloads, results or tokens.

import type { CommandStatus, CommandType } from "../../domain/commands/commands.ts";
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
  /** The agent uses its token at another URL, whose server proved that it is the same server. */
  | { type: "server.moved" }
  /**
   * `shared`: another program used the agent's token in the last five minutes. `unshared`: no other
   * program did.
   */
  | { type: "token.shared" | "token.unshared" }
  /** The server did not accept the agent's name, version, runtime and labels in a heartbeat. */
  | { type: "description.refused"; code: string }
  | { type: "reported"; services: number }
  /**
   * The server refuses a service: the service belongs to another agent (`agentCode`), or the agent
   * has too many services. Emitted once per change. The agent cannot publish the service's events
   * until the server accepts it.
   */
  | {
      type: "service.refused";
      serviceCode: string;
      reason: "SERVICE_CODE_TAKEN" | "SERVICE_LIMIT_REACHED";
      agentCode: string | null;
    }
  /** The server accepts a service that it refused before. */
  | { type: "service.accepted"; serviceCode: string }
  /** A report failed, or the server refused it. The agent reports again. */
  | { type: "report.failed"; code: string }
  | ({ type: "command.started" } & OfCommand)
  /** `errorCode` is null for a success. */
  | ({ type: "command.finished"; errorCode: string | null; durationMs: number } & OfCommand)
  /** An operator cancelled the command. The agent stops the command or does not start it. */
  | { type: "command.cancelled"; commandId: string }
  /** A handler called `context.log`. */
  | ({ type: "command.log"; fields: object } & OfCommand)
  /** The action's schema is unusable. The command runs, because the server accepted its payload. */
  | ({ type: "payload.unchecked" } & OfCommand)
  /** Commands that were still waiting when the agent stopped. The server delivers them again. */
  | { type: "commands.left"; commandIds: string[] }
  /** The server delivered a known command again. The command does not run again. */
  | ({ type: "command.redelivered" } & OfCommand)
  /** The server has the result. */
  | { type: "result.acknowledged"; commandId: string; status: CommandStatus; duplicate: boolean }
  | { type: "result.retry"; commandId: string; attempt: number; delayMs: number; code: string }
  /** The server did not accept the whole result; the agent sends a short one instead. */
  | { type: "result.shortened"; commandId: string; code: string }
  /** The server will not accept the result. The agent does not send it again. */
  | { type: "result.dropped"; commandId: string; code: string }
  /** The server does not accept the command's output, or no longer does. The command continues. */
  | { type: "output.refused"; commandId: string; code: string }
  /** The bus has not accepted an event yet. The agent sends it again. */
  | ({ type: "publish.retry"; attempt: number; delayMs: number; code: string } & OfEvent)
  | { type: "poll.failed" | "heartbeat.failed"; code: string; delayMs: number }
  /** Events of a service were published. `skipped` counts those that the bus will never accept. */
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
  /** The host's clock differs from the server's by a minute or more. Emitted when this begins. */
  | { type: "clock.off"; skewMs: number }
  /** The difference is less than a minute again. */
  | { type: "clock.right" }
  | { type: "connection.lost" }
  /** The agent uses `http:`, or `insecureSkipTlsVerify` is set. */
  | { type: "insecure" }
  | { type: "connection.restored"; afterMs: number }
  /**
   * The agent's token is revoked, the agent is disabled, or the server does not accept the host in
   * its URL.
   */
  | { type: "refused"; code: string }
  /** The server accepts the agent again. */
  | { type: "accepted" }
  /** Some lines of the journal were unreadable. Commands that may have started do not run again. */
  | { type: "journal.repaired"; lines: number }
  /** The agent has a token but no journal, or an empty one. */
  | { type: "journal.lost" }
  | { type: "journal.failed" }
  /** Sidecar only: a service's health status has changed. The agent reports it immediately. */
  | { type: "service.health"; serviceCode: string; before: string; status: string }
  | { type: "service.version"; serviceCode: string; version: string }
  /** Sidecar only: a version cannot be read, so the old one remains. Emitted once per reason. */
  | { type: "service.version.failed"; serviceCode: string }
  /** A bug in the agent itself. */
  | { type: "agent.failed" }
  | { type: "stopped" };

export type EventLevel = "debug" | "info" | "warn" | "error";

/** `at` is a UTC time in ISO 8601; `message` is a sentence for a log. */
export type AgentEvent = Facts & { at: string; level: EventLevel; message: string };

export type Emit = (level: EventLevel, message: string, facts: Facts) => void;

export function createEmit(listener: ((event: AgentEvent) => void) | undefined): Emit {
  return (level, message, facts) => {
    try {
      listener?.({ ...facts, at: isoTime(Date.now()), level, message });
    } catch {
      // The agent must work even if its listener fails.
    }
  };
}
