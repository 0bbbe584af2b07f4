import { defaultsOf } from "../../domain/payload/json-schema.ts";
import { formatDuration } from "../../lib/duration.ts";
import { Bell } from "../bell.ts";
import { limitOf } from "../connection/deadline.ts";
import { ActionError, messageOf } from "../connection/errors.ts";
import type { Action, ActionContext, Prepared, Service } from "../services/services.ts";
import {
  type CommandResult,
  type DeliveredCommand,
  failed,
  failedBy,
  type ResultCode,
  succeeded,
} from "./commands.ts";
import { silenced } from "./output/command-output.ts";
import { fingerprintOf, requireState } from "./state-check.ts";

/** How long a handler can run after a stop has aborted it. */
const stopMs = 1000;

/** How long other commands, or a cancellation, wait for a handler that ignores its abort. */
const lingerMs = 10_000;

export interface Outcome {
  result: CommandResult;
  /** Resolves when the handler has ended, when the agent stops, or 10 s after the timeout. */
  ended: Promise<void>;
  /** Resolves when the result no longer has to wait for the output. Never rejects. */
  sent?: Promise<void>;
}

export function notRun(result: CommandResult): Outcome {
  return { result, ended: Promise.resolve() };
}

export interface Job {
  command: DeliveredCommand;
  action: Action;
  timeMs: number;
  /** Aborted when the agent stops and its grace period is over. */
  stop: AbortSignal;
  cancel: AbortSignal;
  log: ActionContext["log"];
  output: ActionContext["output"];
}

export function findAction(services: Service[], command: DeliveredCommand): Action | undefined {
  const service = services.find(({ code }) => code === command.serviceCode);
  return service?.actions?.find(({ name }) => name === command.action);
}

/**
 * Never rejects. Resolves with ACTION_TIMED_OUT at the timeout, and with AGENT_STOPPED 1 s after a
 * stop. After a cancellation, the handler has 10 s to throw (COMMAND_CANCELLED) or to finish.
 */
export function runCommand(job: Job): Promise<Outcome> {
  const { command, action, timeMs, stop, cancel, log, output } = job;
  const controller = new AbortController();
  const context: ActionContext = { command, signal: controller.signal, log, output };
  const settled = new Bell();
  return new Promise((resolve) => {
    let timer = setTimeout(timeOut, timeMs);
    let threwCode: ResultCode = "ACTION_FAILED";
    cancel.addEventListener("abort", onCancel, { once: true });
    stop.addEventListener("abort", onStop, { once: true });
    if (cancel.aborted) onCancel();
    if (stop.aborted) onStop();
    handle(command, action, context)
      .then(
        (output) => end(succeeded(output, command.type === "ACTION_PREPARE")),
        (error: unknown) => end(threw(error)),
      )
      .catch((error: unknown) => end(failedBy(error, "ACTION_FAILED")))
      .finally(() => settled.ring());

    function end(result: CommandResult, ended: Promise<void> = Promise.resolve()): void {
      clearTimeout(timer);
      cancel.removeEventListener("abort", onCancel);
      stop.removeEventListener("abort", onStop);
      resolve({ result, ended });
    }
    /** After a cancellation, any error means that the handler did not finish. */
    function threw(error: unknown): CommandResult {
      return threwCode === "COMMAND_CANCELLED"
        ? failed(threwCode, messageOf(error))
        : failedBy(error, threwCode);
    }
    function timeOut(): void {
      // The message names the configured timeout, although the handler had slightly less time.
      const limit = formatDuration(limitOf(command, action.timeoutSeconds));
      const message = `The action did not finish within its timeout of ${limit}.`;
      const reason = new ActionError("ACTION_TIMED_OUT", message);
      end(failedBy(reason, "ACTION_TIMED_OUT"), settled.wait(stop, lingerMs));
      controller.abort(reason);
    }
    function onCancel(): void {
      if (stop.aborted) return;
      threwCode = "COMMAND_CANCELLED";
      clearTimeout(timer);
      timer = setTimeout(() => end(notStopped), lingerMs);
      controller.abort(new ActionError(threwCode, "An operator cancelled the command."));
    }
    function onStop(): void {
      const reason = new ActionError(
        "AGENT_STOPPED",
        "The agent stopped before the action finished.",
      );
      threwCode = "AGENT_STOPPED";
      clearTimeout(timer);
      timer = setTimeout(() => end(failedBy(reason, threwCode)), stopMs);
      controller.abort(reason);
    }
  });
}

const notStopped = failed(
  "COMMAND_NOT_STOPPED",
  `The command was cancelled, but did not end within ${lingerMs / 1000} s. It may still be running.`,
);

async function handle(command: DeliveredCommand, action: Action, context: ActionContext) {
  if (command.type === "ACTION_PREPARE") return prepare(action, context);
  const { expectedState, payload } = command;
  if (expectedState !== undefined) {
    // Operators would mistake the output of the comparison for the output of the action.
    const silent = { ...context, output: silenced(context.output) };
    await requireState(expectedState, () => prepare(action, silent), context.signal);
  }
  return action.execute(payload, context);
}

/** Completes the form from the catalog. */
async function prepare(action: Action, context: ActionContext): Promise<Prepared> {
  const prepared = (await action.prepare?.(context)) ?? {};
  const inputSchema = prepared.inputSchema ?? action.inputSchema ?? {};
  const stateFingerprint = fingerprintOf(prepared);
  return {
    inputSchema,
    initialPayload: prepared.initialPayload ?? defaultsOf(inputSchema),
    currentState: prepared.currentState ?? null,
    ...(stateFingerprint === undefined ? {} : { stateFingerprint }),
  };
}
