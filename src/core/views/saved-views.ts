// Saved views. All users can have views of their own. Only operators can change shared views.

import type { savedViews } from "../../api/saved-views.ts";
import { mayActAs, type Principal, roleOf } from "../../domain/access/principals.ts";
import { declaredBy, declaredIn, type Origin, originFacts } from "../../domain/declarations.ts";
import {
  AppError,
  found,
  requireRoom,
  requireSameVersion,
  validationFailed,
} from "../../domain/errors.ts";
import { maxSavedViewsPerUser, maxSharedViews } from "../../domain/limits.ts";
import type { SavedView, ViewRule } from "../../domain/saved-views.ts";
import { isoTimes } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  countSavedViewsOf,
  findSavedView,
  findSavedViewByName,
  listSavedViews as listStoredViews,
  savedViewRows,
} from "../../store/tables/saved-views.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import { audit, changedFields, changesOf, makerOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import type { HandlersOf } from "../handlers.ts";
import { rememberAnswer } from "../idempotency-keys.ts";

export const handlers: HandlersOf<typeof savedViews> = {
  "saved-views.list": async ({ core, principal }, { query: { shared, ...filter } }) => {
    const { items, total } = await listStoredViews(core.db.read, {
      ...filter,
      userId: userOf(principal),
      ...(shared === undefined ? {} : { shared: shared === "true" }),
    });
    return { items: items.map(toSavedView), total };
  },
  "saved-views.create": (ctx, { body }) =>
    ctx.core.db.write(async (tx) => {
      const view = await createSavedViewIn(ctx, tx, body, null);
      return rememberAnswer(ctx, tx, toSavedView(view));
    }),
  "saved-views.get": async (ctx, { params }) =>
    toSavedView(await requireView(ctx, ctx.core.db.read, params.viewId)),
  "saved-views.update": (ctx, { params, body: { version, ...rule } }) =>
    ctx.core.db.write(async (tx) => {
      const before = await requireView(ctx, tx, params.viewId);
      requireSameVersion(before, version, `view ${before.name}`);
      return toSavedView(await updateSavedViewIn(ctx, tx, before, rule, null));
    }),
  "saved-views.delete": async (ctx, { params }) => {
    await ctx.core.db.write(async (tx) => {
      await deleteSavedViewIn(ctx, tx, await requireView(ctx, tx, params.viewId), null);
    });
    return { id: params.viewId, deleted: true as const };
  },
};

/**
 * Throws FORBIDDEN, SAVED_VIEW_NAME_TAKEN, and VALIDATION_FAILED if there are too many views.
 */
export async function createSavedViewIn(
  ctx: Ctx,
  tx: Tx,
  rule: ViewRule,
  origin: Origin | null,
): Promise<SavedView> {
  const { core, principal } = ctx;
  const userId = ownerOf(principal, rule.shared);
  await requireFreeName(tx, userId, rule.name, null);
  // For declared views, the caller has checked this.
  if (origin === null) await requireRoomFor(tx, userId);
  const view: SavedView = {
    ...rule,
    id: core.newId("vew"),
    userId,
    createdBy: makerOf(principal),
    ...declaredBy(origin),
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await savedViewRows.insert(tx, view);
  await auditView(ctx, tx, view, "created", { ...factsOf(view), ...originFacts(origin) });
  return view;
}

/**
 * Changes nothing if the view already has this content. Throws FORBIDDEN and SAVED_VIEW_NAME_TAKEN.
 */
export async function updateSavedViewIn(
  ctx: Ctx,
  tx: Tx,
  before: SavedView,
  { name, noun, query, shared }: ViewRule,
  origin: Origin | null,
): Promise<SavedView> {
  requireRights(ctx.principal, before.shared);
  const userId = ownerOf(ctx.principal, shared);
  const declared = declaredBy(origin, shared ? before : undefined);
  const after: SavedView = { ...before, name, noun, query, shared, userId, ...declared };
  const changes = changesOf(changedFields(comparedFields, before, after), before, after);
  if (Object.keys(changes).length === 0) return before;
  await requireFreeName(tx, userId, name, before.id);
  if (userId !== before.userId) await requireRoomFor(tx, userId);
  const view = { ...after, version: before.version + 1, updatedAt: tx.now };
  await savedViewRows.update(tx, view);
  const facts = { ...nameOf(view), changes: auditedChanges(before, after, changes) };
  await auditView(ctx, tx, view, "updated", { ...facts, ...originFacts(origin) });
  return view;
}

/** Throws FORBIDDEN. */
export async function deleteSavedViewIn(
  ctx: Ctx,
  tx: Tx,
  view: SavedView,
  origin: Origin | null,
): Promise<void> {
  const { id, shared } = view;
  requireRights(ctx.principal, shared);
  await savedViewRows.delete(tx, id);
  await auditView(ctx, tx, view, "deleted", { ...factsOf(view), ...originFacts(origin) });
}

/** Throws SAVED_VIEW_NOT_FOUND, also for another user's view. */
async function requireView({ principal }: Ctx, db: Reader, id: string): Promise<SavedView> {
  const view = await findSavedView(db, id);
  const isVisible = view !== null && (view.shared || view.userId === userOf(principal));
  return found(isVisible ? view : null, "SAVED_VIEW_NOT_FOUND", `saved view ${id}`);
}

function userOf(principal: Principal): string | null {
  return principal.kind === "user" ? principal.userId : null;
}

function ownerOf(principal: Principal, shared: boolean): string | null {
  requireRights(principal, shared);
  if (shared) return null;
  const userId = userOf(principal);
  if (userId !== null) return userId;
  const message = "must be true: only users who have signed in can have views of their own";
  throw validationFailed([{ path: "shared", message }]);
}

function requireRights(principal: Principal, shared: boolean): void {
  const role = roleOf(principal);
  if (!shared || mayActAs(role, "operator")) return;
  throw new AppError("FORBIDDEN", `Shared views require the operator role; yours is ${role}.`, {
    details: { role, needed: "operator" },
  });
}

async function requireFreeName(
  tx: Tx,
  userId: string | null,
  name: string,
  ownId: string | null,
): Promise<void> {
  const holder = await findSavedViewByName(tx, userId, name);
  if (!holder || holder.id === ownId) return;
  const message = `There is already a ${userId === null ? "shared " : ""}view ${name}.`;
  throw new AppError("SAVED_VIEW_NAME_TAKEN", message, { details: { id: holder.id } });
}

async function requireRoomFor(tx: Tx, userId: string | null): Promise<void> {
  const [most, things] =
    userId === null
      ? [maxSharedViews, "shared views"]
      : [maxSavedViewsPerUser, "views of your own"];
  requireRoom(await countSavedViewsOf(tx, userId), most, things, "delete one first");
}

const comparedFields = ["name", "noun", "query", "shared", "declared"] as const;

/**
 * Everybody can read the audit trail, so it does not contain what users keep in views of their own.
 */
function factsOf(view: SavedView): object {
  const { shared, noun, query } = view;
  return shared ? { ...nameOf(view), shared, noun, query } : { shared };
}

function nameOf({ name, shared }: SavedView): { name?: string } {
  return shared ? { name } : {};
}

function auditedChanges(before: SavedView, after: SavedView, changes: object): object {
  if (before.shared && after.shared) return changes;
  return before.shared === after.shared
    ? {}
    : { shared: { from: before.shared, to: after.shared } };
}

/** Everybody can change their own views without limit, so these events are summarized. */
function auditView(
  ctx: Ctx,
  tx: Tx,
  { id, shared }: SavedView,
  what: "created" | "updated" | "deleted",
  facts: object,
): Promise<void> {
  const entry = {
    action: `saved_view.${what}`,
    targetId: id,
    metadata: { ...facts },
  } as const;
  return shared ? audit(ctx, tx, entry) : auditRepeated(ctx, tx, entry);
}

function toSavedView({ declared, declaredFile, userId: _, ...view }: SavedView) {
  return {
    declaredIn: declaredIn({ declared, declaredFile }),
    ...view,
    ...(declared === null ? {} : { declared }),
    ...isoTimes(view, "createdAt", "updatedAt"),
  };
}
