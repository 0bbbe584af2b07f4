import type { Client } from "../../client/client.ts";
import { agentFeatures } from "../../domain/fleet/agents.ts";
import { counted } from "../../lib/counted.ts";
import type { AgentContext } from "../agent-context.ts";
import type { RecurringCall } from "../connection/call-schedule.ts";
import type { Connection } from "../connection/connection.ts";
import { AgentError, messageOf } from "../connection/errors.ts";
import { codeOf, isAway, isRefusal } from "../connection/failures.ts";
import type { ManagedServices } from "./managed-services.ts";
import type { RefusedServices } from "./refused-services.ts";
import { type ReportedService, reportOf } from "./service-report.ts";

/** How long the services' functions can delay the next poll. */
const mostAskedMs = 200;

interface Waiter {
  resolve: () => void;
  reject: (error: unknown) => void;
}

export type Reporter = ReturnType<typeof createReporter>;

export function createReporter(
  { settings, emit, stopSignal }: AgentContext,
  services: ManagedServices,
  connection: Connection,
  recurring: RecurringCall,
  refused: RefusedServices,
  /** The interval in the response to the latest heartbeat. */
  latestSeconds: () => number | undefined,
) {
  const waiters: Waiter[] = [];
  let ended = false;

  /** Collects the services again for every attempt. Throws errors that a retry cannot fix. */
  async function report(): Promise<void> {
    const reply = await connection.persist(send, {
      onRetry(error) {
        if (!isAway(error) && !isRefusal(error)) emitFailed(error);
      },
    });
    // An older server sends no `rejected`.
    const { services: accepted, rejected = [] } = reply;
    refused.note(
      accepted.map(({ code }) => code),
      rejected,
    );
    const { length } = accepted;
    const message = `Reported ${counted(length, "service")}.`;
    emit("debug", message, { type: "reported", services: length });
  }

  async function send(client: Client, signal: AbortSignal) {
    const complete = settings.completeReports ? { complete: true } : {};
    const body = { features: [...agentFeatures], ...complete, services: await collected() };
    return client.call("agent.report", { body }, { signal });
  }

  async function collected(): Promise<ReportedService[]> {
    const timer = setTimeout(() => recurring.letPollBegin(), mostAskedMs);
    try {
      return await Promise.all(services.list().map((service) => reportOf(service, stopSignal)));
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Resolves when the server has accepted a report that started after this call. Rejects if that
   * report fails, and with AGENT_NOT_RUNNING when the agent stops.
   */
  function soon(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (ended) return reject(notRunning());
      waiters.push({ resolve, reject });
      recurring.soon();
    });
  }

  async function reportForever(signal: AbortSignal): Promise<void> {
    await recurring.repeat(intervalMs, () => reportFor(waiters.splice(0), signal), signal);
  }

  /** The server has missed reports while it refused the agent. */
  async function reportWhenAccepted(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await connection.nextAcceptance();
      if (!signal.aborted) soon().catch(() => undefined);
    }
  }

  function end(): void {
    ended = true;
    for (const { reject } of waiters.splice(0)) reject(notRunning());
  }

  function intervalMs(): number {
    const { reportSeconds = latestSeconds() } = settings.timing;
    return 1000 * (reportSeconds ?? connection.identity?.reportIntervalSeconds ?? 30);
  }

  async function reportFor(asking: Waiter[], signal: AbortSignal): Promise<void> {
    try {
      await report();
      for (const { resolve } of asking) resolve();
    } catch (error) {
      const reason = signal.aborted ? notRunning() : error;
      for (const { reject } of asking) reject(reason);
      if (!signal.aborted) emitFailed(error);
    }
  }

  function emitFailed(error: unknown): void {
    emit("error", `The services could not be reported: ${messageOf(error)}`, {
      type: "report.failed",
      code: codeOf(error),
    });
  }

  return { report, soon, reportForever, reportWhenAccepted, end };
}

export function notRunning(): AgentError {
  return new AgentError(
    "AGENT_NOT_RUNNING",
    "The agent has not been started, or has been stopped.",
  );
}
