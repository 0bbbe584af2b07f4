// `--if-unchanged`: prepares the action on each service, so that each command runs only in the
// state that the operator was shown.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import { prepareTimeoutSeconds } from "../../../domain/limits.ts";
import type { Json } from "../../../domain/payload/json.ts";
import { counted } from "../../../lib/counted.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { Slots } from "../../../lib/slots.ts";
import type { Invocation } from "../../command.ts";
import { patientClient } from "../../connecting/patient-client.ts";
import { usageError } from "../../exit.ts";
import { section } from "../../output/output.ts";
import { startProgress } from "../../terminal/progress.ts";

const atOnce = 16;

/** How many different states to show. */
const mostStates = 3;

type Service = Pick<
  Reply<"rollouts.preview">["waves"][number]["services"][number],
  "serviceId" | "serviceCode"
>;

interface PreparedServices {
  /** The ids of the prepare commands, by service code. */
  prepareCommandIds: Record<string, string>;
  /** Why the other services could not be prepared, by service code. */
  problems: Map<string, { code: string; message: string }>;
  states: { currentState: Json; services: string[] }[];
}

/**
 * Continues with the other services if an agent cannot prepare the action. Any other error ends the
 * preparations that have not ended.
 */
export async function prepareServices(
  invocation: Pick<Invocation, "io" | "options" | "signal">,
  api: Client,
  actionName: string,
  services: readonly Service[],
): Promise<PreparedServices> {
  const { io } = invocation;
  const ender = new AbortController();
  const signal = AbortSignal.any([invocation.signal, ender.signal]);
  const patient = patientClient({ ...invocation, signal }, api);
  const prepareCommandIds: Record<string, string> = {};
  const problems: PreparedServices["problems"] = new Map();
  const states = new Map<string, PreparedServices["states"][number]>();
  const slots = new Slots(atOnce);
  const timeoutMs = (prepareTimeoutSeconds.max + 30) * 1000;
  const whole = counted(services.length, "service");
  using progress = startProgress(io, `preparing ${actionName} on ${whole}`);
  let done = 0;
  const prepare = async ({ serviceId, serviceCode }: Service) => {
    signal.throwIfAborted();
    const params = { serviceId, actionName };
    try {
      const prepared = await patient.call("actions.prepare", { params }, { signal, timeoutMs });
      if (prepared.command) prepareCommandIds[serviceCode] = prepared.command.id;
      const { currentState } = prepared;
      const key = canonicalJson(currentState);
      const same = states.get(key) ?? { currentState, services: [] };
      same.services.push(serviceCode);
      states.set(key, same);
    } catch (error) {
      if (!isOfService(error)) {
        ender.abort(error);
        throw error;
      }
      problems.set(serviceCode, error);
    }
    progress.say(`preparing ${actionName}: ${++done} of ${whole}`);
  };
  await Promise.all(services.map((service) => slots.run(() => prepare(service))));
  const byCount = [...states.values()].sort((a, b) => b.services.length - a.services.length);
  return { prepareCommandIds, problems, states: byCount };
}

const ofService = new Set<string>([
  ...["ACTION_PREPARE_FAILED", "ACTION_PREPARE_TIMEOUT", "COMMAND_ALREADY_COMPLETED"],
  ...["ACTION_NOT_FOUND", "SERVICE_NOT_FOUND", "AGENT_OFFLINE", "AGENT_DISABLED"],
]);

function isOfService(error: unknown): error is AppError {
  return error instanceof AppError && ofService.has(error.code);
}

export function conditionOf({ prepareCommandIds }: PreparedServices) {
  return { ifUnchanged: true, prepareCommandIds };
}

/** Adds the problems, because the server knows only that these services were not prepared. */
export function withProblems(
  preview: Reply<"rollouts.preview">,
  { problems }: PreparedServices,
): Reply<"rollouts.preview"> {
  const leftOut = preview.leftOut.map((left) => {
    const problem = problems.get(left.serviceCode);
    return problem ? { ...left, code: problem.code, message: problem.message } : left;
  });
  return { ...preview, leftOut };
}

/** A repeated command would prepare again and therefore send a different request. */
export function refuseRequestId(
  { requestId }: Invocation["options"],
  isConditional: boolean,
): void {
  if (!isConditional || requestId === undefined) return;
  throw usageError(
    "--request-id cannot be used with --if-unchanged, because each attempt prepares again.",
  );
}

/** Shows the most common states. */
export function statesText({ states }: PreparedServices): string {
  const shown = states.slice(0, mostStates).map(({ currentState, services }) => {
    const where = services.length === 1 ? services[0] : counted(services.length, "service");
    return section(`current state of ${where}`, currentState);
  });
  const others = states.slice(mostStates).reduce((sum, each) => sum + each.services.length, 0);
  const rest = others === 0 ? "" : `\n${counted(others, "service")} in other states\n`;
  return shown.join("") + rest;
}
