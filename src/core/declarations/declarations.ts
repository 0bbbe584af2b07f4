// Makes the stored objects equal to declarations in files, in one transaction.
// (docs/guides/declarations.md)

import type { ReplyData } from "../../api/contract/route.ts";
import type { declarations } from "../../api/declarations.ts";
import { mayActAs, roleOf } from "../../domain/access/principals.ts";
import {
  type DeclarationKind,
  declarationKinds,
  declarationRoles,
} from "../../domain/declarations.ts";
import { AppError, errorStatus, type Issue, validationFailed } from "../../domain/errors.ts";
import { maxChangesWarned } from "../../domain/limits.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { recheckCaller } from "../access/still-allowed.ts";
import { requireMayBypass } from "../approvals/gate.ts";
import { refreshRequirements } from "../approvals/requirements.ts";
import { noteRepeated } from "../audit/repeated-events.ts";
import { type Core, type Ctx, contextAfterCommit } from "../context.ts";
import type { Body, HandlersOf } from "../handlers.ts";
import { type Lookups, lookupsOf, readingFrom } from "../lookups.ts";
import { noteDeclaredSettings } from "../system/settings.ts";
import type { ApplyContext, Change, Stored } from "./kind.ts";
import { kindOf } from "./kinds/index.ts";
import { type Inventory, inventoryOf, type Plan, planOf, stampOf, within } from "./plan.ts";
import { checkedRequest, type Request } from "./request.ts";

export const handlers: HandlersOf<typeof declarations> = {
  "declarations.preview": (ctx, { body }) => preview(ctx, body),
  "declarations.apply": (ctx, { body }) => apply(ctx, body),
};

type Apply = Body<typeof declarations, "declarations.apply">;
type Purpose = "preview" | "apply";

/** How many times an apply is tried if the stored objects change while it compares them. */
const mostAttempts = 3;

/** Throws FORBIDDEN, TOO_MUCH_WORK, and VALIDATION_FAILED with all mistakes. */
async function preview(ctx: Ctx, body: Omit<Apply, "plan" | "breakGlass">) {
  const lookups = lookupsOf(ctx);
  const plan = await noteRefusal(ctx, "preview", async () => {
    const request = await checkedRequest(ctx, body);
    requireRole(ctx, "preview", kindsIn(request));
    const plan = await planOf(lookups, request);
    requireRole(ctx, "preview", kindsIn(plan));
    return plan;
  });
  const waiting = await expectedToWait(lookups, plan);
  return answer(lookups, body.set, plan, { outcomes: null, waiting });
}

/**
 * Compares everything before the transaction, because other writes wait during it. The transaction
 * changes nothing if the stored objects are not those that were compared. Throws FORBIDDEN,
 * DECLARATIONS_CHANGED, TOO_MUCH_WORK, and VALIDATION_FAILED with all mistakes.
 */
async function apply(ctx: Ctx, body: Apply) {
  const since = ctx.core.monotonic();
  await requireMayBypass(ctx, body.breakGlass);
  const { plan, effect } = await noteRefusal(ctx, "apply", async () => {
    const request = await checkedRequest(ctx, body);
    requireRole(ctx, "apply", kindsIn(request));
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const plan = await planOf(lookupsOf(ctx), request, body.plan);
      requireRole(ctx, "apply", kindsIn(plan));
      if (body.plan !== undefined && body.plan !== plan.digest) break;
      const effect = await carryOut(ctx, plan, request, { since, breakGlass: body.breakGlass });
      if (effect !== null) return { plan, effect };
    }
    throw changed();
  });
  if (plan.changes.some(decidesRequirements)) await refreshRequirements(ctx);
  return answer(lookupsOf(contextAfterCommit(ctx)), body.set, plan, effect);
}

/** The setting `operatorLabels` decides which labels policies see. */
function decidesRequirements({ kind }: Change): boolean {
  return kind === "ApprovalPolicy" || kind === "Settings";
}

/** The ids of the changed objects, by change. The settings have none. */
type Outcomes = Map<Change, string | null>;

/** The objects of `waiting` have no effect until they are approved. */
interface Effect {
  /** Null if the plan was not carried out. */
  outcomes: Outcomes | null;
  waiting: ReadonlySet<Change>;
}

/**
 * Returns null if the stored objects are not those that were compared. Throws VALIDATION_FAILED
 * with the refusals of all changes.
 */
async function carryOut(
  ctx: Ctx,
  plan: Plan,
  request: Request,
  { since, breakGlass }: { since: number; breakGlass: string | undefined },
): Promise<Effect | null> {
  const groups = inOrder(plan.changes);
  const noting = plan.changes.filter(isToNote);
  if (groups.length === 0 && noting.length === 0 && !request.prune) {
    const outcomes: Outcomes = new Map();
    return { outcomes, waiting: await waitingFor(ctx.core.db.read, plan, outcomes) };
  }
  return ctx.core.db.write(async (tx) => {
    await recheckCaller(ctx, tx, since);
    const stored = await inventoryOf(ctx, tx, plan.kinds);
    if (stampOf(stored) !== plan.stamp) return null;
    const { once } = readingFrom(tx);
    const outcomes: Outcomes = new Map();
    const issues: Issue[] = [];
    const carryOutOne = async (change: Change) => {
      try {
        const { facts, origin } = change;
        const making = { facts, origin, breakGlass, once };
        outcomes.set(change, await make(ctx, tx, change, asStored(stored, change), making));
      } catch (error) {
        if (!(error instanceof AppError) || errorStatus[error.code] >= 500) throw error;
        if (change.index < 0) throw error;
        if (error.code === "APPROVAL_REQUIRED") throw named(error, change);
        issues.push(...issuesOf(error).map((issue) => within(change.index, issue)));
      }
    };
    // On PostgreSQL, statements that are sent together take one round trip.
    for (const group of groups) await Promise.all(group.map(carryOutOne));
    if (issues.length > 0) throw validationFailed(issues, "set of declarations");
    await noteFiles(ctx, tx, plan, noting, request);
    return { outcomes, waiting: await waitingFor(tx, plan, outcomes) };
  });
}

/** Whether `noteFile` must be called: the file was renamed, or these are the settings. */
function isToNote({ kind: name, change, document, item, origin }: Change): boolean {
  const isKept = change === "unchanged" && item?.file !== origin.file;
  return document !== null && item !== null && (!kindOf(name).owned || isKept);
}

/**
 * Stores the new names of renamed files, and which settings are declared. Without a document, only
 * callers who may change settings end their declaration.
 */
async function noteFiles(
  { principal }: Ctx,
  tx: Tx,
  { changes }: Plan,
  noting: readonly Change[],
  { set, prune }: Request,
): Promise<void> {
  const noted = noting.map(async ({ kind: name, document, item, origin }) => {
    if (document && item) await kindOf(name).noteFile(tx, item, document, origin);
  });
  await Promise.all(noted);
  const mayDeclare = mayActAs(roleOf(principal), declarationRoles.Settings.apply);
  if (prune && mayDeclare && changes.every(({ kind }) => kind !== "Settings")) {
    await noteDeclaredSettings(tx, { set, file: null }, []);
  }
}

/** Kinds on which others depend are created first and deleted last. */
function inOrder(changes: readonly Change[]): Change[][] {
  const rank = ({ kind, change }: Change) => {
    const at = declarationKinds.indexOf(kind);
    return change === "deleted" ? 2 * declarationKinds.length - at : at;
  };
  const groups = Map.groupBy(
    changes.filter(({ change }) => change !== "unchanged"),
    rank,
  );
  return [...groups].toSorted(([one], [other]) => one - other).map(([, group]) => group);
}

/** Returns the object as it is in the transaction: its run times, for example, may have changed. */
function asStored(inventory: Inventory, { kind, name, item }: Change): Stored | null {
  if (item === null) return null;
  return (
    inventory
      .get(kind)
      ?.get(name)
      ?.find(({ id }) => id === item.id) ?? item
  );
}

async function make(
  ctx: Ctx,
  tx: Tx,
  { kind: name, document }: Change,
  item: Stored | null,
  making: ApplyContext<unknown>,
): Promise<string | null> {
  const kind = kindOf(name);
  if (document && !item) return kind.create(ctx, tx, document, making);
  if (document && item) await kind.update(ctx, tx, item, document, making);
  else if (item) await kind.delete(ctx, tx, item, making);
  return item?.id ?? null;
}

function named({ code, message, details = {} }: AppError, { kind, name }: Change): AppError {
  return new AppError(code, `${kind} ${name}: ${message}`, { details: { ...details, kind, name } });
}

function issuesOf({ message, details }: AppError): Issue[] {
  const issues = details?.issues;
  return Array.isArray(issues) ? (issues as Issue[]) : [{ path: "", message }];
}

async function answer(lookups: Lookups, set: string, plan: Plan, { outcomes, waiting }: Effect) {
  const changes: ChangeView[] = [];
  const warningsFor = (change: Change, id: string | null) =>
    warningsOf(lookups, change, id, plan.changes);
  const warn = outcomes === null ? warningsFor : warningsAfterCommit(lookups.ctx.core, warningsFor);
  let warned = 0;
  for (const each of plan.changes) {
    const { kind, name, change, origin, before, after } = each;
    const id = idOf(each, outcomes);
    const mayWarn = isNews(each) && ++warned <= maxChangesWarned;
    const warnings = mayWarn ? await warn(each, id) : [];
    const what = { kind, name, change, id, file: origin.file, before, after };
    changes.push({ ...what, warnings, awaitingApproval: waiting.has(each) });
    await lookups.ctx.budget.spend();
  }
  return { set, plan: plan.digest, changes };
}

function idOf(change: Change, outcomes: Outcomes | null): string | null {
  return outcomes?.get(change) ?? change.item?.id ?? null;
}

type ChangeView = ReplyData<(typeof declarations)["declarations.apply"]>["changes"][number];

function isNews({ document, after }: Change): boolean {
  return document !== null && after !== null;
}

async function warningsOf(
  lookups: Lookups,
  { kind, document }: Change,
  id: string | null,
  changes: readonly Change[],
) {
  return (document && (await kindOf(kind).warningsOf?.(lookups, document, id, changes))) ?? [];
}

type WarningsFor = (change: Change, id: string | null) => Promise<string[]>;

/**
 * Like `warningsFor`, but does not throw, because the changes are committed. Gives up after the
 * first error, because each read may wait for the database.
 */
function warningsAfterCommit(core: Core, warningsFor: WarningsFor): WarningsFor {
  let hasFailed = false;
  return async (change, id) => {
    try {
      if (!hasFailed) return await warningsFor(change, id);
    } catch (err) {
      hasFailed = true;
      if (!core.storage.recordFailure(core, err))
        core.log.warn({ err }, "warnings could not be determined");
    }
    return ["The warnings about this object could not be determined."];
  };
}

/** Returns the changes of a preview whose objects would have no effect until they are approved. */
async function expectedToWait(lookups: Lookups, { changes }: Plan): Promise<Set<Change>> {
  const [news, existing] = [changes.filter(isNews), changes.filter((each) => !isNews(each))];
  const waiting = await waitingFor(lookups.db, { changes: existing }, null);
  for (const change of news) {
    const { kind, document, item, facts } = change;
    if (document && (await kindOf(kind).needsApproval?.(lookups, document, item, facts))) {
      waiting.add(change);
    }
    await lookups.ctx.budget.spend();
  }
  return waiting;
}

/**
 * Returns the changes whose stored objects have no effect until they are approved. `outcomes` is
 * null if the plan is not carried out.
 */
async function waitingFor(
  db: Reader,
  { changes }: Pick<Plan, "changes">,
  outcomes: Outcomes | null,
): Promise<Set<Change>> {
  const waiting = new Set<Change>();
  for (const [name, ofKind] of Map.groupBy(changes, ({ kind }) => kind)) {
    const kind = kindOf(name);
    const existing = ofKind.filter(({ change }) => change !== "deleted");
    const ids = existing.flatMap((each) => idOf(each, outcomes) ?? []);
    const found = (await kind.awaitingApproval?.(db, ids)) ?? new Set();
    for (const each of existing) if (found.has(idOf(each, outcomes) ?? "")) waiting.add(each);
  }
  return waiting;
}

function kindsIn(from: Request | Plan): Set<DeclarationKind> {
  if ("changes" in from) return new Set(from.changes.map(({ kind }) => kind));
  const kinds = from.documents.flatMap(({ document }) => document?.kind ?? []);
  return new Set(kinds);
}

function requireRole(
  { principal }: Ctx,
  purpose: Purpose,
  kinds: ReadonlySet<DeclarationKind>,
): void {
  const role = roleOf(principal);
  const refused = [...kinds].find((kind) => !mayActAs(role, declarationRoles[kind][purpose]));
  if (refused === undefined) return;
  const needed = declarationRoles[refused][purpose];
  const message = `Declarations of the kind ${refused} require the ${needed} role; yours is ${role}.`;
  throw new AppError("FORBIDDEN", message, { details: { kind: refused, role, needed } });
}

/** Records a refusal as `dispatch` does for routes. */
async function noteRefusal<T>(ctx: Ctx, purpose: Purpose, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === "FORBIDDEN") {
      await noteRepeated(ctx, {
        action: "access.denied",
        targetType: "route",
        targetId: `declarations.${purpose}`,
        result: "DENIED",
        metadata: { ...error.details },
      });
    }
    throw error;
  }
}

function changed(): AppError {
  const message =
    "The stored objects have changed since the preview, so applying the files would make changes " +
    "that the preview did not show.";
  return new AppError("DECLARATIONS_CHANGED", `${message} Make a new preview.`);
}
