// What an agent tells the program that embeds it. Events carry no payloads, results or tokens.

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
  /** A registration token was used; the agent token is stored. */
  | { type: "registered"; agentId: string }
  /** The token of before is used at another URL, whose server has proved that it knows it. */
  | { type: "server.moved" }
  /** The server does not take the agent's name, version, runtime and labels with a heartbeat. */
  | { type: "description.refused"; code: string }
  | { type: "reported"; services: number }
  /**
   * The server does not take a service of the reports: another agent has it (`agentCode`), or this
   * one has too many. Told once until that changes; nothing is published in its name meanwhile.
   */
  | {
      type: "service.refused";
      serviceCode: string;
      reason: "SERVICE_CODE_TAKEN" | "SERVICE_LIMIT_REACHED";
      agentCode: string | null;
    }
  /** A service that was refused is taken. */
  | { type: "service.accepted"; serviceCode: string }
  /** A report could not be made or was not taken; the next one comes at its time. */
  | { type: "report.failed"; code: string }
  | ({ type: "command.started" } & OfCommand)
  /** `errorCode` is null for a success. */
  | ({ type: "command.finished"; errorCode: string | null; durationMs: number } & OfCommand)
  /** An operator has cancelled it: it is stopped if it runs, and not started if it does not. */
  | { type: "command.cancelled"; commandId: string }
  /** A handler called `context.log`. */
  | ({ type: "command.log"; fields: object } & OfCommand)
  /** The schema of the action could not be used: the command runs, as the server has let it. */
  | ({ type: "payload.unchecked" } & OfCommand)
  /** Commands that waited for their turn when the agent was stopped: they come again after a start. */
  | { type: "commands.left"; commandIds: string[] }
  /** The server sent a command that was here before; it is not run again. */
  | ({ type: "command.redelivered" } & OfCommand)
  /** The server has the result. */
  | { type: "result.acknowledged"; commandId: string; status: CommandStatus; duplicate: boolean }
  | { type: "result.retry"; commandId: string; attempt: number; delayMs: number; code: string }
  /** The server did not take the whole result: a short one goes in its place. */
  | { type: "result.shortened"; commandId: string; code: string }
  /** The server wants no result of this command (any more): it is not sent again. */
  | { type: "result.dropped"; commandId: string; code: string }
  /** The bus did not take an event yet; it is sent again. */
  | ({ type: "publish.retry"; attempt: number; delayMs: number; code: string } & OfEvent)
  | { type: "poll.failed"; code: string; delayMs: number }
  /** Events of a service were read and published; `skipped` ones will never be taken. */
  | {
      type: "bus.forwarded";
      serviceCode: string;
      stored: number;
      duplicates: number;
      skipped: number;
    }
  /** `eventId` is null when it has none. */
  | { type: "bus.skipped"; serviceCode: string; eventId: string | null; code: string }
  /** Told once for each code until `bus.restored`; it goes on trying. */
  | { type: "bus.failed"; serviceCode: string; code: string; delayMs: number }
  | { type: "bus.restored"; serviceCode: string; afterMs: number }
  | { type: "connection.lost" }
  /** The server's certificate is not looked at (`insecureSkipTlsVerify`), or there is none: `http:`. */
  | { type: "insecure" }
  | { type: "connection.restored"; afterMs: number }
  /** The server knows the agent and turns it away: token revoked, or agent disabled. */
  | { type: "refused"; code: string }
  /** The server takes the agent again. */
  | { type: "accepted" }
  /** Lines of the journal could not be read; what was in doubt is not run again. */
  | { type: "journal.repaired"; lines: number }
  | { type: "journal.failed" }
  /** The sidecar's: what it has found out about a service, and operators are told now. */
  | { type: "service.health"; serviceCode: string; before: string; status: string }
  | { type: "service.version"; serviceCode: string; version: string }
  /** Told once for each reason; the version stays what it was. */
  | { type: "service.version.failed"; serviceCode: string }
  /** A fault of the agent itself. */
  | { type: "agent.failed" }
  | { type: "stopped" };

export type EventLevel = "debug" | "info" | "warn" | "error";

/** `at` is ISO 8601 UTC; `message` is a sentence for a log. */
export type AgentEvent = Facts & { at: string; level: EventLevel; message: string };

export type Emit = (level: EventLevel, message: string, facts: Facts) => void;

/** A listener that throws does the agent no harm. */
export function createEmit(listener: ((event: AgentEvent) => void) | undefined): Emit {
  return (level, message, facts) => {
    try {
      listener?.({ ...facts, at: isoTime(Date.now()), level, message });
    } catch {
      // The agent's work does not depend on who listens.
    }
  };
}
