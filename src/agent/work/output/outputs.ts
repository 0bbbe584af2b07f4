// Sends the output of commands over the agent's connection.

import { withholdSecrets } from "../../../domain/secrets/payload-secrets.ts";
import { pause } from "../../bell.ts";
import type { Connection } from "../../connection/connection.ts";
import { messageOf } from "../../connection/errors.ts";
import { codeOf, isAboutCommand, isCode, unlessUnknown } from "../../connection/failures.ts";
import type { Emit } from "../../events/events.ts";
import type { Action } from "../../services/services.ts";
import type { DeliveredCommand } from "../commands.ts";
import { CommandOutput, type SendOutput } from "./command-output.ts";

const timeoutMs = 10_000;
/** How long a result waits for the rest of the output while the server responds. */
const patienceMs = 1000;
const lookMs = 50;

/** `stopping` is aborted when the agent begins to stop, and `line` when it has stopped. */
export function createOutputs(
  connection: Connection,
  emit: Emit,
  stopping: AbortSignal,
  line: AbortSignal,
) {
  return ({ id: commandId, payload }: DeliveredCommand, { inputSchema = {} }: Action) => {
    let refusals = 0;
    const send: SendOutput = async (body, signal) => {
      try {
        const input = { params: { commandId }, body };
        const { nextOffset } = await connection.persist(
          (client, ended) => client.call("agent.output", input, { signal: ended, timeoutMs }),
          { signal, onRetry: unlessUnknown },
        );
        return nextOffset;
      } catch (error) {
        if (signal.aborted) return null;
        if (refusals++ === 0) noteRefused(commandId, error);
        return isFinal(error) ? null : "refused";
      }
    };
    const secrets = () => withholdSecrets(payload, inputSchema).secrets;
    return new CommandOutput({ send, secrets, patience, line });
  };

  /**
   * Counts only time while the server responds: at other times, it could not get the result. During
   * a stop, does not wait for a server that does not respond.
   */
  async function patience(signal: AbortSignal): Promise<void> {
    const unlessStopping = AbortSignal.any([signal, stopping]);
    for (let waitedMs = 0; waitedMs < patienceMs && !signal.aborted; waitedMs += lookMs) {
      await connection.whenFound(unlessStopping);
      if (connection.isLost && stopping.aborted) return;
      await pause(lookMs, signal);
    }
  }

  function noteRefused(commandId: string, error: unknown): void {
    const code = codeOf(error);
    const isExpected = isCode(error, "NOT_FOUND", "COMMAND_ALREADY_COMPLETED");
    const message = isFinal(error)
      ? `The output of ${commandId} is no longer sent: ${messageOf(error)}`
      : `Output of ${commandId} was refused and is lost: ${messageOf(error)}`;
    emit(isExpected ? "debug" : "warn", message, { type: "output.refused", commandId, code });
  }
}

function isFinal(error: unknown): boolean {
  return isAboutCommand(error) || isCode(error, "NOT_FOUND");
}
