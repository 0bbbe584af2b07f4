import type { Client } from "../../client/client.ts";
import { stopOneOf } from "../../domain/fleet/agent-instances.ts";
import { agentFeatures } from "../../domain/fleet/agents.ts";
import { clockText, isClockOff } from "../../domain/fleet/clock-skew.ts";
import { bodyLimitBytes } from "../../domain/limits.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { AgentContext } from "../agent-context.ts";
import type { AgentDescription } from "../options.ts";
import type { RecurringCall } from "./call-schedule.ts";
import type { Connection } from "./connection.ts";
import { messageOf } from "./errors.ts";
import { codeOf, isAway, isPassing, isRefusal } from "./failures.ts";

type Described = Pick<AgentDescription, "name" | "version" | "runtime" | "labels"> & {
  features: string[];
};

/** Whether another program uses the agent's token, and whether one did since the agent's start. */
export interface Sharing {
  isShared: boolean;
  wasShared: boolean;
}

/** A heartbeat must be smaller than a registration. Its other fields need 1 KiB. */
const maxDescriptionBytes = bodyLimitBytes.heartbeat - 1024;

export function createHeartbeats(
  { settings, emit }: AgentContext,
  connection: Connection,
  recurring: RecurringCall,
  onCancelled: (commandIds: readonly string[]) => void,
) {
  let seconds = 30;
  /** Undefined before the first heartbeat, and with an older server. */
  let reportSeconds: number | undefined;
  /** Null if the server already has the description, or does not accept it in a heartbeat. */
  let description: Described | null = described(settings.agent);
  if (description === null) emitRefused("PAYLOAD_TOO_LARGE", "they are too large");
  let isOff = false;
  let isShared = false;
  let wasShared = false;

  function describe(agent: AgentDescription): void {
    description = described(agent);
    recurring.soon();
  }

  async function beat(): Promise<void> {
    await connection.persist((client, signal) => send(client, signal), {
      onRetry(error, _attempt, delayMs) {
        if (isAway(error) || isRefusal(error)) return;
        const message = `A heartbeat failed: ${messageOf(error)}`;
        emit("warn", message, { type: "heartbeat.failed", code: codeOf(error), delayMs });
      },
    });
  }

  /** Tries once to update the clock. Never rejects. */
  async function refreshClock(signal: AbortSignal): Promise<void> {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(5000)]);
    await connection
      .call((client, signal) => send(client, signal), soon)
      .catch(() => {
        // The clock remains unchanged.
      });
  }

  /** Rejects only with errors that a retry cannot fix. */
  async function beatForever(signal: AbortSignal): Promise<void> {
    const intervalMs = () => 1000 * (settings.timing.heartbeatSeconds ?? seconds);
    await recurring.repeat(intervalMs, beat, signal);
  }

  async function send(client: Client, signal: AbortSignal): Promise<void> {
    const sentAt = performance.now();
    const agent = description;
    const { instance } = settings;
    const body = { timestamp: isoTime(Date.now()), instance, ...(agent ? { agent } : {}) };
    let reply: Awaited<ReturnType<typeof client.call<"agent.heartbeat">>>;
    try {
      reply = await client.call("agent.heartbeat", { body }, { signal });
    } catch (error) {
      if (!agent || signal.aborted || isPassing(error)) throw error;
      // Heartbeats must continue without the description.
      forget(agent);
      emitRefused(codeOf(error), messageOf(error));
      return send(client, signal);
    }
    forget(agent);
    const receivedAt = performance.now();
    connection.clock.observe(reply.serverTime, sentAt, receivedAt);
    noteSkew(reply.clockSkewMs ?? 0, receivedAt - sentAt);
    // The server omits this field if it does not know. An older server has no such field.
    if (reply.duplicated !== undefined) noteShared(reply.duplicated);
    seconds = reply.heartbeatIntervalSeconds;
    // An older server does not send these fields.
    reportSeconds = reply.reportIntervalSeconds;
    onCancelled(reply.cancelled ?? []);
  }

  /** Subtracts the duration of the call, which may have waited on its way to the server. */
  function noteSkew(skewMs: number, tookMs: number): void {
    const wasOff = isOff;
    isOff = isClockOff(Math.max(0, Math.abs(skewMs) - tookMs));
    if (isOff === wasOff) return;
    if (isOff) {
      const message =
        `The clock of this host differs from the server's: it is ${clockText(skewMs)}. ` +
        "Correct the clock that is wrong, for example with NTP.";
      emit("warn", message, { type: "clock.off", skewMs });
    } else emit("info", "The clock agrees with the server's again.", { type: "clock.right" });
  }

  function noteShared(shared: boolean): void {
    if (shared === isShared) return;
    isShared = shared;
    wasShared ||= shared;
    if (shared) {
      const message =
        "In the last five minutes, another program used this agent's token. If both programs are " +
        `still running, each gets only some of the commands. ${stopOneOf(settings.agent.code)}`;
      emit("warn", message, { type: "token.shared" });
    } else {
      const message = "In the last five minutes, no other program used this agent's token.";
      emit("info", message, { type: "token.unshared" });
    }
  }

  /** Keeps a description that has changed during the call. */
  function forget(sent: Described | null): void {
    if (description === sent) description = null;
  }

  function emitRefused(code: string, reason: string): void {
    const message =
      "The server does not accept the agent's name, version, runtime and labels in a heartbeat: " +
      `${reason}. It gets them at the agent's next registration.`;
    emit("warn", message, { type: "description.refused", code });
  }

  return {
    describe,
    beat,
    refreshClock,
    beatForever,
    reportSeconds: () => reportSeconds,
    sharing: (): Sharing => ({ isShared, wasShared }),
  };
}

/** Returns why the server would refuse this description in a heartbeat; null if it would not. */
export function problemOfDescription(agent: AgentDescription): string | null {
  const bytes = Buffer.byteLength(JSON.stringify(textOf(agent)));
  if (bytes <= maxDescriptionBytes) return null;
  return `agent: name, version, runtime and labels have ${bytes} bytes, but the server accepts at most ${maxDescriptionBytes}`;
}

function described(agent: AgentDescription): Described | null {
  return problemOfDescription(agent) === null ? textOf(agent) : null;
}

function textOf({ name, version, runtime, labels = {} }: AgentDescription): Described {
  return { name, version, runtime, labels, features: [...agentFeatures] };
}
