// Starts executions of actions: creates their commands, or requests for approval of them.

import type { Command } from "../../domain/commands/commands.ts";
import { AppError } from "../../domain/errors.ts";
import { actionTimeoutSeconds } from "../../domain/limits.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import type { Shown } from "../../domain/secrets/payload-secrets.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { currentPolicies } from "../approvals/demands.ts";
import { draftOf, type Order, type SecretMarks } from "../approvals/executions.ts";
import { askOrBypass } from "../approvals/gate.ts";
import {
  isPermit,
  type NeedsApproval,
  noBasis,
  type Permit,
  permitBypass,
  permitNow,
} from "../approvals/permits.ts";
import { openRequest, recordBypass } from "../approvals/requests.ts";
import { toApprovalSummary } from "../approvals/views.ts";
import { audit } from "../audit/trail.ts";
import { readThenWrite } from "../batches.ts";
import type { Ctx } from "../context.ts";
import { effectOfPlan, rememberAnswer, rememberPlan } from "../idempotency-keys.ts";
import {
  type ActionTarget,
  type FoundTarget,
  lookUpTargets,
  requireConfirmation,
  requireReachable,
  requireTarget,
  targetOf,
} from "../presence/action-targets.ts";
import { createCommand, createCommands, type NewCommand } from "./commands.ts";
import { type Condition, termsOf } from "./prepared-forms.ts";
import { toCommandSummary } from "./views.ts";

/**
 * An execution to start. Its values come from the caller. With a retry or a plan, some of them come
 * from the original command or from the plan.
 */
type ExecutionToStart = Pick<Command, "reason" | "retryOf"> &
  Condition & {
    payload: JsonObject;
    confirmation: boolean;
    prepareCommandId?: string | null | undefined;
    /** If the payload comes from a command or a plan, the payload as it is shown there. */
    shown?: Shown;
    plan?: Order["plan"];
    breakGlass?: string | undefined;
  };

/** An execution, and its action as it was read before the transaction. */
interface Starting {
  ctx: Ctx;
  seen: ActionTarget;
  execution: ExecutionToStart;
  /** Whether the command may wait for an agent that is offline. */
  queue: boolean;
}

/** Checks an execution, and creates its command or, if a policy requires approval, a request. */
export async function startExecution(
  ctx: Ctx,
  seen: ActionTarget,
  execution: ExecutionToStart,
  queue: boolean,
) {
  const { db } = ctx.core;
  const starting = { ctx, seen, execution, queue };
  await check(starting, db.read, seen);
  return db.batch(startAll, starting);
}

type Started = Awaited<ReturnType<typeof startWith>>;

async function startAll(
  tx: Tx,
  starting: readonly Starting[],
): Promise<PromiseSettledResult<Started>[]> {
  const [found] = await Promise.all([
    lookUpTargets(
      tx,
      starting.map(({ seen }) => ({ serviceId: seen.service.id, actionName: seen.action.name })),
    ),
    currentPolicies(tx),
  ]);
  return readThenWrite(
    starting,
    async (one) => {
      const { service, action } = one.seen;
      return ready(tx, one, found(service.id, action.name));
    },
    async (readies) => {
      const started = await startPlain(tx, readies.filter(isPlain));
      for (const one of readies) if (!started.has(one)) started.set(one, await startWith(tx, one));
      return started;
    },
  );
}

async function startPlain(tx: Tx, plain: readonly Plain[]): Promise<Map<Ready, Started>> {
  const commands = await createCommands(
    tx,
    plain.map(({ ctx, target, order, secretMarks, free }) => {
      return { ctx, wanted: executionOf(ctx, target, order, secretMarks, free) };
    }),
  );
  const answers = plain.map(async (one, at): Promise<[Ready, Started]> => {
    const command = toCommandSummary(commands[at] as Command);
    return [one, await rememberAnswer(one.ctx, tx, { command, approval: null })];
  });
  return new Map(await Promise.all(answers));
}

/** An execution that was checked in the transaction, before anything is changed. */
interface Ready {
  ctx: Ctx;
  target: ActionTarget;
  order: Order;
  secretMarks: SecretMarks;
  free: Permit | NeedsApproval;
  breakGlass: string | undefined;
}

/**
 * Throws if the execution may not start. The service may have moved since it was read. If the
 * action has changed since then, the execution is checked again.
 */
async function ready(tx: Tx, starting: Starting, found: FoundTarget): Promise<Ready> {
  const { ctx, seen, execution, queue } = starting;
  const { payload, shown, reason, retryOf, plan = null, breakGlass } = execution;
  const prepareCommandId = execution.prepareCommandId || null;
  const target = requireTarget(found, seen.service.id, seen.action.name);
  if (!queue) requireReachable(ctx, target.service);
  if (!jsonEqual(target.action, seen.action)) await check(starting, tx, target);
  const { schema, expectedState } = await termsOf(tx, target, prepareCommandId, execution, tx.now);
  const order: Order = {
    payload,
    reason,
    prepareCommandId,
    retryOf,
    expectedState,
    plan,
    queue,
  };
  const free = await permitNow(tx, target, noBasis);
  return { ctx, target, order, secretMarks: { schema, shown }, free, breakGlass };
}

/** Throws if the confirmation, the prepare command or the payload is not valid for the action. */
async function check(
  { ctx, execution }: Starting,
  db: Reader,
  target: ActionTarget,
): Promise<void> {
  const { payload, confirmation } = execution;
  const prepareCommandId = execution.prepareCommandId || null;
  requireConfirmation(target.action, confirmation);
  const { schema } = await termsOf(db, target, prepareCommandId, execution, ctx.core.now());
  checkPayload(payload, schema);
}

/** An execution that needs no approval: only its command must be created. */
type Plain = Ready & { free: Permit };

function isPlain(one: Ready): one is Plain {
  const { plan, retryOf } = one.order;
  return isPermit(one.free) && plan === null && retryOf === null;
}

async function startWith(tx: Tx, { ctx, target, order, secretMarks, free, breakGlass }: Ready) {
  const { plan } = order;
  const resolution = isPermit(free) ? null : await askOrBypass(ctx, tx, free, breakGlass);
  if (resolution?.kind === "ask") {
    const draft = draftOf(ctx.core, target, order, secretMarks);
    const approval = await openRequest(ctx, tx, draft, resolution);
    if (plan) await notePlan(tx, plan.planId, { approvalId: approval.id });
    return rememberAnswer(ctx, tx, { command: null, approval: toApprovalSummary(approval) });
  }
  const permit = isPermit(free) ? free : permitBypass(ctx, tx, target);
  const command = await createExecution(ctx, tx, target, order, secretMarks, permit);
  if (plan) await notePlan(tx, plan.planId, { commandId: command.id });
  if (resolution !== null) {
    const draft = draftOf(ctx.core, target, order, secretMarks);
    await recordBypass(ctx, tx, draft, resolution, command.id);
  }
  return rememberAnswer(ctx, tx, { command: toCommandSummary(command), approval: null });
}

/** Creates the command of an order. */
export async function createExecution(
  ctx: Ctx,
  tx: Tx,
  target: ActionTarget,
  order: Order,
  secretMarks: SecretMarks,
  permit: Permit,
): Promise<Command> {
  const { retryOf, plan } = order;
  const wanted = executionOf(ctx, target, order, secretMarks, permit);
  const command = await createCommand(ctx, tx, wanted);
  const { id, action, serviceCode } = command;
  if (retryOf !== null) {
    await audit(ctx, tx, {
      action: "command.retried",
      targetId: retryOf,
      metadata: { action, serviceCode, retriedAs: id },
    });
  }
  if (plan !== null) {
    await audit(ctx, tx, {
      action: "command.plan.applied",
      targetId: id,
      metadata: { action, serviceCode, ...plan },
    });
  }
  return command;
}

function executionOf(
  ctx: Ctx,
  target: ActionTarget,
  order: Order,
  secretMarks: SecretMarks,
  permit: Permit,
): NewCommand {
  const { payload, reason, prepareCommandId, retryOf, expectedState } = order;
  return {
    ...targetOf(ctx, target),
    type: "ACTION_EXECUTE",
    payload,
    ...secretMarks,
    reason,
    prepareCommandId,
    retryOf,
    expectedState,
    permit,
    timeoutSeconds: target.action.timeoutSeconds ?? actionTimeoutSeconds.default,
    ttlSeconds: ctx.core.settings.commandTtlSeconds,
  };
}

async function notePlan(tx: Tx, planId: string, effect: Parameters<typeof rememberPlan>[2]) {
  if (await rememberPlan(tx, planId, effect)) return;
  throw alreadyApplied(planId, await effectOfPlan(tx, planId));
}

/** `effect` is the id of a command, or of a request for approval. */
export function alreadyApplied(planId: string, effect: string | null): AppError {
  const isRequest = effect?.startsWith("apr_") ?? false;
  const message = `The plan ${planId} was already applied, by the ${isRequest ? "request" : "command"} ${effect}. It cannot be applied again: make a new plan.`;
  return new AppError("PLAN_ALREADY_APPLIED", message, {
    details: { planId, [isRequest ? "approvalId" : "commandId"]: effect },
  });
}
