// Chooses the targets of a rollout, and says which services are left out and why.

import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { rollouts } from "../../api/rollouts.ts";
import { AppError, found, validationFailed } from "../../domain/errors.ts";
import { maxRolloutTargets } from "../../domain/limits.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { type RolloutChoice, waveSizes } from "../../domain/rollouts.ts";
import { findAgentByCode } from "../../store/tables/agents.ts";
import { type Candidate, listCandidates } from "../../store/tables/rollout-candidates.ts";
import { type CommandTarget, findServiceByCode } from "../../store/tables/services.ts";
import { requireReachable, type Target } from "../commands/action-targets.ts";
import { type Core, type Ctx, readAside } from "../context.ts";
import type { Body } from "../handlers.ts";
import { settle } from "../memory/flush.ts";
import { timer } from "../slices.ts";

export type RolloutRequest = Body<typeof rollouts, "rollouts.create">;

export interface LeftOut {
  service: CommandTarget;
  code: string;
  message: string;
}

export interface ChosenTargets {
  targets: Target[];
  leftOut: LeftOut[];
}

const atOnce = 500;

export async function chooseTargets(ctx: Ctx, request: RolloutRequest): Promise<ChosenTargets> {
  const { core } = ctx;
  const { action } = request;
  const choice = choiceOf(request);
  await settle(core);
  const chosen: ChosenTargets = { targets: [], leftOut: [] };
  const fits = payloadChecker(request);
  let isOver = timer(core);
  for (let after = ""; ; ) {
    const { thresholds } = core.settings;
    const now = core.statusClock.now();
    const page = { after, limit: atOnce, now, thresholds };
    const candidates = await listCandidates(readAside(ctx), choice, action, page);
    for (const candidate of candidates) {
      const { service } = candidate;
      const problem = obstacleOf(ctx, request, candidate, fits);
      if (problem) chosen.leftOut.push({ service, code: problem.code, message: problem.message });
      else chosen.targets.push(candidate as Target);
      // Checking the payload of thousands of services must not delay the agents.
      if (isOver()) {
        await pause(1);
        isOver = timer(core);
      }
    }
    if (chosen.targets.length + chosen.leftOut.length > maxRolloutTargets) throw tooMany();
    if (candidates.length < atOnce) break;
    after = candidates.at(-1)?.service.id ?? "";
  }
  await requireNamed(core, choice, chosen);
  return chosen;
}

export function choiceOf({ selector, services, agents, status }: RolloutRequest): RolloutChoice {
  return { selector, services, agents, status };
}

/** A name that does not exist is a mistake. */
async function requireNamed(
  { db: { read } }: Core,
  { services = [], agents = [] }: RolloutChoice,
  { targets, leftOut }: ChosenTargets,
): Promise<void> {
  const chosen = [...targets, ...leftOut].map(({ service }) => service);
  const known = new Set(chosen.flatMap(({ code, agentCode }) => [`s ${code}`, `a ${agentCode}`]));
  for (const code of services) {
    if (known.has(`s ${code}`)) continue;
    found(await findServiceByCode(read, code), "SERVICE_NOT_FOUND", `service ${code}`);
  }
  for (const code of agents) {
    if (known.has(`a ${code}`)) continue;
    found(await findAgentByCode(read, code), "AGENT_NOT_FOUND", `agent ${code}`);
  }
}

function tooMany(): AppError {
  const message = `chooses more than ${maxRolloutTargets} services; choose fewer`;
  return validationFailed([{ path: "selector", message }]);
}

type Check = (payload: JsonObject, schema: JsonObject) => AppError | null;

/** Most services declare the same schema, which is then checked once. */
function payloadChecker({ payload }: RolloutRequest): Check {
  const known = new Map<string, AppError | null>();
  return (checked, schema) => {
    if (checked !== payload) return problemOf(() => checkPayload(checked, schema));
    const text = JSON.stringify(schema);
    const before = known.get(text);
    if (before !== undefined) return before;
    const problem = problemOf(() => checkPayload(checked, schema));
    known.set(text, problem);
    return problem;
  };
}

function problemOf(check: () => void): AppError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function obstacleOf(
  ctx: Ctx,
  request: RolloutRequest,
  { service, action }: Candidate,
  fits: Check,
): AppError | null {
  if (action === null) {
    const message = `The service declares no action ${request.action}.`;
    return new AppError("ACTION_NOT_FOUND", message);
  }
  const misfit = fits(payloadFor(request, service), action.inputSchema);
  if (misfit || request.offline !== "skip") return misfit;
  return problemOf(() => requireReachable(ctx, service));
}

/** Returns the request's own `payload` object if the service has none of its own. */
export function payloadFor(
  { payload, payloadByService }: RolloutRequest,
  { code }: { code: string },
): JsonObject {
  return (Object.hasOwn(payloadByService, code) && payloadByService[code]) || payload;
}

/**
 * Puts the targets in an order that depends only on the seed, so that a wave is no group of similar names,
 * and divides them into waves.
 */
export function inWaves(targets: readonly Target[], { waves }: RolloutRequest, seed: string) {
  const keyed = targets.map((target) => ({
    target,
    key: hash("sha256", `${seed} ${target.service.id}`),
  }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const sizes = waveSizes(waves, targets.length);
  let begin = 0;
  return sizes.map((size) => {
    const wave = keyed.slice(begin, begin + size).map(({ target }) => target);
    begin += size;
    return wave;
  });
}
