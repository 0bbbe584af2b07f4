import { orAborted } from "../../lib/time-limit.ts";
import { Bell } from "../bell.ts";
import type { Connection } from "../connection/connection.ts";
import { messageOf } from "../connection/errors.ts";
import { codeOf, isAway, unlessUnknown } from "../connection/failures.ts";
import type { ManagedServices } from "../services/managed-services.ts";
import type { RefusedServices } from "../services/refused-services.ts";
import type { Reporter } from "../services/reporter.ts";
import type { Emit } from "./events.ts";
import type { PublishReceipt } from "./published-event.ts";
import type { SealedEvent } from "./sealed-event.ts";

export function createPublisher(
  connection: Connection,
  reporter: Reporter,
  services: ManagedServices,
  refused: RefusedServices,
  emit: Emit,
) {
  const emptied = new Bell();
  let underWay = 0;

  /** Throws errors that a retry cannot fix, the signal's reason, and AGENT_NOT_RUNNING. */
  async function publish(event: SealedEvent, signal: AbortSignal): Promise<PublishReceipt> {
    refused.requireTaken(event.source);
    underWay++;
    try {
      return await deliver(event, signal);
    } catch (error) {
      if (!isNews(event, error)) throw error;
      // Reports the new service first. A failed report emits its own event.
      await orAborted(reporter.soon(), signal).catch(() => undefined);
      return await deliver(event, signal);
    } finally {
      if (--underWay === 0) emptied.ring();
    }
  }

  async function settled(ms: number): Promise<void> {
    if (underWay > 0) await emptied.wait(new AbortController().signal, ms);
  }

  /** Whether the agent has just added this service, so that the server does not know it yet. */
  function isNews({ source }: SealedEvent, error: unknown): boolean {
    return codeOf(error) === "BUS_SOURCE_NOT_FOUND" && services.has(source);
  }

  function deliver(event: SealedEvent, signal: AbortSignal): Promise<PublishReceipt> {
    return connection.persist(
      (client, ended) => {
        const agentId = connection.identity?.agentId ?? "";
        const input = { params: { agentId }, body: event };
        return client.call("agent.publish", input, { signal: ended });
      },
      {
        onRetry(error, attempt, delayMs) {
          unlessUnknown(error);
          emitRetry(event, error, attempt, delayMs);
        },
        signal,
      },
    );
  }

  function emitRetry(event: SealedEvent, error: unknown, attempt: number, delayMs: number): void {
    const message = `Publishing event ${event.id} of ${event.source} failed: ${messageOf(error)}`;
    // Warns once per event. An outage has its own agent event.
    emit(attempt > 1 || isAway(error) ? "debug" : "warn", message, {
      type: "publish.retry",
      serviceCode: event.source,
      eventId: event.id ?? "",
      attempt,
      delayMs,
      code: codeOf(error),
    });
  }

  return { publish, settled };
}
