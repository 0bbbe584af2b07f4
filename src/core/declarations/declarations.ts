// Makes what is stored equal to declarations in files, in one transaction. (docs/declarations.md)

import type { ReplyData } from "../../api/contract/route.ts";
import type { declarations } from "../../api/declarations.ts";
import {
  type DeclarationKind,
  declarationKinds,
  declarationRoles,
} from "../../domain/declarations.ts";
import { AppError, errorStatus, type Issue, validationFailed } from "../../domain/errors.ts";
import { mayActAs, roleOf } from "../../domain/principals.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { refreshRequirements } from "../approvals/carrying-out.ts";
import { requireMayBypass } from "../approvals/gate.ts";
import { noteRepeated } from "../audit/repeated-events.ts";
import type { Ctx } from "../context.ts";
import type { Body, HandlersOf } from "../handlers.ts";
import { noteDeclaredSettings } from "./declared-settings.ts";
import { kindOf } from "./kinds/index.ts";
import { type Change, type Plan, planOf, within } from "./plan.ts";
import type { Request } from "./request.ts";

export const handlers: HandlersOf<typeof declarations> = {
  "declarations.preview": (ctx, { body }) => preview(ctx, body),
  "declarations.apply": (ctx, { body }) => apply(ctx, body),
};

type Apply = Body<typeof declarations, "declarations.apply">;
type Purpose = "preview" | "apply";

/** Throws FORBIDDEN, and VALIDATION_FAILED with all mistakes. */
async function preview(ctx: Ctx, request: Request) {
  const { read } = ctx.core.db;
  const plan = await noteRefusal(ctx, "preview", async () => {
    requireRole(ctx, "preview", kindsIn(request));
    const plan = await planOf(ctx, read, request);
    requireRole(ctx, "preview", kindsIn(plan));
    return plan;
  });
  return answer(ctx, read, request, plan, null);
}

/** Throws FORBIDDEN, DECLARATIONS_CHANGED, and VALIDATION_FAILED with all mistakes. */
async function apply(ctx: Ctx, request: Apply) {
  await requireMayBypass(ctx, request.breakGlass);
  const { plan, outcomes } = await noteRefusal(ctx, "apply", () => {
    requireRole(ctx, "apply", kindsIn(request));
    return ctx.core.db.write(async (tx) => {
      const plan = await planOf(ctx, tx, request);
      requireRole(ctx, "apply", kindsIn(plan));
      if (request.plan !== undefined && request.plan !== plan.digest) throw changed();
      const outcomes = await carryOut(ctx, tx, plan, request.breakGlass);
      await noteFiles(tx, plan, request);
      return { plan, outcomes };
    });
  });
  if (plan.changes.some(({ kind }) => kind === "ApprovalPolicy")) await refreshRequirements(ctx);
  return answer(ctx, ctx.core.db.read, request, plan, outcomes);
}

/** The ids of the objects. */
type Outcomes = Map<Change, string | null>;

/** Collects refusals, so that all are reported. */
async function carryOut(
  ctx: Ctx,
  tx: Tx,
  { changes }: Plan,
  breakGlass: string | undefined,
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map();
  const issues: Issue[] = [];
  for (const change of inOrder(changes)) {
    try {
      outcomes.set(change, await carryOutOne(ctx, tx, change, breakGlass));
    } catch (error) {
      if (!(error instanceof AppError) || errorStatus[error.code] >= 500) throw error;
      if (change.index < 0) throw error;
      if (error.code === "APPROVAL_REQUIRED") throw named(error, change);
      issues.push(...issuesOf(error).map((issue) => within(change.index, issue)));
    }
  }
  if (issues.length > 0) throw validationFailed(issues, "set of declarations");
  return outcomes;
}

/**
 * Keeps the files of objects that do not change, so that they name the present one after a renaming, and
 * which settings are declared.
 */
async function noteFiles(tx: Tx, { changes }: Plan, { set, prune }: Request): Promise<void> {
  for (const { kind: name, change, document, item, origin } of changes) {
    const kind = kindOf(name);
    const isKept = change === "unchanged" && item?.file !== origin.file;
    if (!document || !item || (kind.owned && !isKept)) continue;
    if (kind.owned) tx.concerns();
    await kind.noteFile(tx, item, document, origin);
  }
  if (prune && changes.every(({ kind }) => kind !== "Settings")) {
    await noteDeclaredSettings(tx, { set, file: null }, []);
  }
}

/** What others depend on is created first and deleted last. */
function inOrder(changes: readonly Change[]): Change[] {
  const rank = ({ kind, change }: Change) => {
    const at = declarationKinds.indexOf(kind);
    return change === "deleted" ? 2 * declarationKinds.length - at : at;
  };
  return changes
    .filter(({ change }) => change !== "unchanged")
    .toSorted((one, other) => rank(one) - rank(other));
}

async function carryOutOne(
  ctx: Ctx,
  tx: Tx,
  { kind: name, document, item, origin }: Change,
  breakGlass: string | undefined,
): Promise<string | null> {
  const kind = kindOf(name);
  if (document && !item) return kind.create(ctx, tx, document, { origin, breakGlass });
  if (document && item) await kind.update(ctx, tx, item, document, { origin, breakGlass });
  else if (item) await kind.delete(ctx, tx, item, origin);
  return item?.id ?? null;
}

function named({ code, message, details = {} }: AppError, { kind, name }: Change): AppError {
  return new AppError(code, `${kind} ${name}: ${message}`, { details: { ...details, kind, name } });
}

function issuesOf({ message, details }: AppError): Issue[] {
  const issues = details?.issues;
  return Array.isArray(issues) ? (issues as Issue[]) : [{ path: "", message }];
}

/** `outcomes` is null if nothing was carried out. */
async function answer(
  ctx: Ctx,
  db: Reader,
  request: Request,
  plan: Plan,
  outcomes: Outcomes | null,
) {
  const changes: ChangeView[] = [];
  for (const each of plan.changes) {
    const id = outcomes?.get(each) ?? each.item?.id ?? null;
    const isNews = each.document !== null && each.after !== null;
    const isPlanned = outcomes === null && isNews;
    changes.push(await viewOf(ctx, db, each, { id, isNews, isPlanned }));
  }
  return { set: request.set, plan: plan.digest, changes };
}

type ChangeView = ReplyData<(typeof declarations)["declarations.apply"]>["changes"][number];

async function viewOf(
  ctx: Ctx,
  db: Reader,
  { kind: kindName, name, change, origin, before, after, document }: Change,
  { id, isNews, isPlanned }: { id: string | null; isNews: boolean; isPlanned: boolean },
): Promise<ChangeView> {
  const kind = kindOf(kindName);
  const warnings = isNews && document ? await kind.warningsOf?.(ctx, db, document, id) : undefined;
  const exists = id !== null && change !== "deleted";
  const awaitingApproval =
    isPlanned && document
      ? await kind.needsApproval?.(ctx, db, document)
      : exists && (await kind.isAwaitingApproval?.(db, id));
  const what = { kind: kindName, name, change, id, file: origin.file, before, after };
  return { ...what, warnings: warnings ?? [], awaitingApproval: awaitingApproval === true };
}

function kindsIn(from: Request | Plan): Set<DeclarationKind> {
  if ("changes" in from) return new Set(from.changes.map(({ kind }) => kind));
  const kinds = from.documents.flatMap(({ document: { document } }) => document?.kind ?? []);
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
    "What is stored has changed since the preview, so this would change something else.";
  return new AppError("DECLARATIONS_CHANGED", `${message} Preview it again.`);
}
