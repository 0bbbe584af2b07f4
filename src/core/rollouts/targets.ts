// Chooses the targets of a rollout, and says which services are left out and why.

import { hash } from "node:crypto";
import type { rollouts } from "../../api/rollouts.ts";
import { AppError, found, validationFailed } from "../../domain/errors.ts";
import { isSelected, parseSelector } from "../../domain/fleet/selectors.ts";
import { maxRolloutTargets } from "../../domain/limits.ts";
import { problemOfPayload } from "../../domain/payload/check.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { choiceOf, type RolloutChoice } from "../../domain/rollouts/rollouts.ts";
import { inWaves } from "../../domain/rollouts/waves.ts";
import { counted } from "../../lib/counted.ts";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import { listActionsOf } from "../../store/tables/fleet/service-actions.ts";
import { type CommandTarget, findServiceLabels } from "../../store/tables/fleet/services.ts";
import {
  type Candidate,
  findAgentCodes,
  findServiceCodes,
  listCandidates,
} from "../../store/tables/rollouts/rollout-candidates.ts";
import { declarationHash } from "../approvals/digests.ts";
import { type ExecutionTerms, formWithState } from "../commands/prepared-forms.ts";
import { bulkReader, type Ctx } from "../context.ts";
import type { Body } from "../handlers.ts";
import { pagesById } from "../pages-by-id.ts";
import { type ActionTarget, unreachable } from "../presence/action-targets.ts";
import { flushBeforeRead } from "../presence/flush.ts";

export type RolloutRequest = Body<typeof rollouts, "rollouts.create">;

export interface LeftOut {
  service: CommandTarget;
  isCanary: boolean;
  code: string;
  message: string;
}

/** A service of a rollout, with the terms of its command. */
export interface ChosenTarget extends ActionTarget, ExecutionTerms {
  /** Whether the request's `canary` matches the service. */
  isCanary: boolean;
  declaration: string;
  prepareCommandId: string | null;
}

export interface ChosenTargets {
  targets: ChosenTarget[];
  leftOut: LeftOut[];
}

const atOnce = 500;
/**
 * The maximum number of services that are searched for a similar action. The search is not divided
 * into slices.
 */
const mostSearched = 500;

/** Throws VALIDATION_FAILED if `canary` is given, but matches none of the targets. */
export async function chooseTargets(ctx: Ctx, request: RolloutRequest): Promise<ChosenTargets> {
  const { core } = ctx;
  const { action } = request;
  const choice = choiceOf(request);
  await requireNamed(ctx, choice);
  await flushBeforeRead(core);
  const chosen: ChosenTargets = { targets: [], leftOut: [] };
  const fits = payloadChecker(request);
  for (const part of partsOf(choice)) {
    const pages = pagesById(
      atOnce,
      (page) => {
        const times = { now: core.statusClock.now(), thresholds: core.settings.thresholds };
        return listCandidates(bulkReader(ctx), part, action, { ...page, ...times });
      },
      ({ service }) => service.id,
    );
    for await (const candidates of pages) {
      const canaries = await canariesAmong(ctx, request, candidates);
      for (const candidate of candidates) {
        const { service } = candidate;
        const isCanary = canaries.has(service.id);
        const found = await targetOrObstacle(ctx, request, candidate, fits);
        if (found instanceof AppError) {
          const { code, message } = found;
          chosen.leftOut.push({ service, isCanary, code, message });
        } else chosen.targets.push({ ...found, isCanary });
        await ctx.budget.spend();
      }
      if (chosen.targets.length + chosen.leftOut.length > maxRolloutTargets) throw tooMany();
    }
  }
  requireCanary(chosen, request);
  await suggestAction(ctx, request, chosen);
  return chosen;
}

/** If no chosen service declares the action, names a similar action that some of them declare. */
async function suggestAction(
  ctx: Ctx,
  { action }: RolloutRequest,
  { targets, leftOut }: ChosenTargets,
): Promise<void> {
  if (targets.length > 0 || leftOut.some(({ code }) => code !== "ACTION_NOT_FOUND")) return;
  const ids = leftOut.slice(0, mostSearched).map(({ service }) => service.id);
  const names = new Set((await listActionsOf(bulkReader(ctx), ids)).map(({ name }) => name));
  const hint = didYouMean(nearest(action, [...names]));
  for (const service of leftOut) service.message += hint;
}

/** Returns the ids of the services that `canary` matches. */
async function canariesAmong(
  ctx: Ctx,
  { canary }: RolloutRequest,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<string>> {
  if (canary === undefined) return new Set();
  const selector = parseSelector(canary);
  const ids = candidates.map(({ service }) => service.id);
  const labels = await findServiceLabels(bulkReader(ctx), ids);
  return new Set(ids.filter((id) => isSelected(selector, labels.get(id) ?? {})));
}

/**
 * If a mistyped `canary` that matches nothing were accepted, the rollout would start without
 * canaries.
 */
function requireCanary({ targets, leftOut }: ChosenTargets, { canary }: RolloutRequest): void {
  if (canary === undefined || targets.length === 0) return;
  if (targets.some(({ isCanary }) => isCanary)) return;
  const out = leftOut.find(({ isCanary }) => isCanary);
  const why = out ? `; ${out.service.code} is left out: ${out.message}` : "";
  const message = `matches none of the ${counted(targets.length, "service")} of the rollout${why}`;
  throw validationFailed([{ path: "canary", message }]);
}

/**
 * Divides thousands of names into parts, so that no statement has to look up all of them for each
 * page. Together, the parts choose each service once.
 */
function partsOf(choice: RolloutChoice): RolloutChoice[] {
  const { services, agents } = choice;
  if (services) return inParts(services).map((part) => ({ ...choice, services: part }));
  if (agents) return inParts(agents).map((part) => ({ ...choice, agents: part }));
  return [choice];
}

function inParts(codes: readonly string[]): string[][] {
  const distinct = [...new Set(codes)];
  const count = Math.ceil(distinct.length / atOnce);
  return Array.from({ length: count }, (_, n) => distinct.slice(n * atOnce, (n + 1) * atOnce));
}

/** Throws SERVICE_NOT_FOUND or AGENT_NOT_FOUND for a name that does not exist. */
async function requireNamed(
  { core, budget }: Ctx,
  { services = [], agents = [] }: RolloutChoice,
): Promise<void> {
  const { read } = core.db;
  for (const part of inParts(services)) {
    const known = await findServiceCodes(read, part);
    for (const code of part) found(known.get(code) ?? null, "SERVICE_NOT_FOUND", `service ${code}`);
    await budget.spend(part.length);
  }
  for (const part of inParts(agents)) {
    const known = await findAgentCodes(read, part);
    for (const code of part) found(known.get(code) ?? null, "AGENT_NOT_FOUND", `agent ${code}`);
    await budget.spend(part.length);
  }
}

function tooMany(): AppError {
  const message = `chooses more than ${maxRolloutTargets} services; choose fewer`;
  return validationFailed([{ path: "selector", message }]);
}

type Fitting = Omit<ChosenTarget, "isCanary">;
type Check = (payload: JsonObject, schema: JsonObject) => AppError | null;

/**
 * Returns a function that checks payloads. It checks the common payload once per schema, because
 * most services declare the same schema.
 */
function payloadChecker({ payload }: RolloutRequest): Check {
  const known = new Map<string, AppError | null>();
  return (checked, schema) => {
    if (checked !== payload) return problemOfPayload(checked, schema);
    const text = JSON.stringify(schema);
    const before = known.get(text);
    if (before !== undefined) return before;
    const problem = problemOfPayload(checked, schema);
    known.set(text, problem);
    return problem;
  };
}

async function targetOrObstacle(
  ctx: Ctx,
  request: RolloutRequest,
  { service, action }: Candidate,
  fits: Check,
): Promise<Fitting | AppError> {
  if (action === null) {
    const message = `The service declares no action ${request.action}.`;
    return new AppError("ACTION_NOT_FOUND", message);
  }
  const target = { service, action, declaration: declarationHash(action) };
  const found = request.ifUnchanged
    ? await preparedTarget(ctx, request, target)
    : { ...target, schema: action.inputSchema, expectedState: null, prepareCommandId: null };
  if (found instanceof AppError) return found;
  const problem = fits(payloadFor(request, service), found.schema);
  if (problem) return problem;
  const obstacle = request.offline === "skip" ? unreachable(ctx, service) : null;
  return obstacle ?? found;
}

/** Every target of a rollout with `ifUnchanged` has a prepare command of its own. */
async function preparedTarget(
  { core }: Ctx,
  { prepareCommandIds = {} }: RolloutRequest,
  target: ActionTarget & Pick<ChosenTarget, "declaration">,
): Promise<Fitting | AppError> {
  const { code } = target.service;
  const given = Object.hasOwn(prepareCommandIds, code) ? prepareCommandIds[code] : undefined;
  const prepareCommandId = given ?? null;
  try {
    const { form } = await formWithState(core.db.read, target, prepareCommandId, core.now());
    const { inputSchema: schema, stateFingerprint: expectedState } = form;
    return { ...target, schema, expectedState, prepareCommandId };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== "VALIDATION_FAILED") return error;
    return new AppError("PREPARE_UNUSABLE", "The action was not prepared on the service.");
  }
}

/** Returns the `payload` object itself if the service has no payload of its own. */
export function payloadFor(
  { payload, payloadByService }: RolloutRequest,
  { code }: { code: string },
): JsonObject {
  return (Object.hasOwn(payloadByService, code) && payloadByService[code]) || payload;
}

/**
 * Puts the targets in an order that depends only on the seed, so that a wave does not consist of
 * services with similar names, and divides them into waves.
 */
export function shuffledWaves(
  targets: readonly ChosenTarget[],
  { waves }: RolloutRequest,
  seed: string,
) {
  const keyed = targets.map((target) => ({
    target,
    key: hash("sha256", `${seed} ${target.service.id}`),
  }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  return inWaves(
    keyed.map(({ target }) => target),
    waves,
  );
}
