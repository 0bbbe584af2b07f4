// Compares declarations with the stored objects. Returns the changes that `apply` would make, or
// throws VALIDATION_FAILED with the mistakes.

import { createHash, createHmac } from "node:crypto";
import { type DeclarationKind, declarationKinds } from "../../domain/declarations.ts";
import { type Issue, validationFailed } from "../../domain/errors.ts";
import { maxDeclarationIssues } from "../../domain/limits.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { Reader } from "../../store/database.ts";
import type { Core, Ctx } from "../context.ts";
import type { Lookups } from "../lookups.ts";
import { derivedKey } from "../secrets/derived-key.ts";
import type { Change, Stored } from "./kind.ts";
import { kindOf } from "./kinds/index.ts";
import type { Request } from "./request.ts";

export interface Plan {
  changes: Change[];
  /** Identifies the changes, including the secrets. */
  digest: string;
  /** The kinds that were compared. */
  kinds: DeclarationKind[];
  /** Identifies the stored objects of these kinds (`stampOf`). */
  stamp: string;
}

export type Inventory = Map<DeclarationKind, Map<string, Stored[]>>;

/**
 * `expected` is the digest of a preview. The plan has the same digest if its changes are the same.
 * Throws VALIDATION_FAILED with all mistakes, and TOO_MUCH_WORK.
 */
export async function planOf(lookups: Lookups, request: Request, expected?: string): Promise<Plan> {
  const { ctx } = lookups;
  const inventory = await inventoryOf(ctx, lookups.db, kindsOf(request));
  const issues: Issue[] = [];
  const changes: Change[] = [];
  const seen = new Map<string, number>();
  for (const [index, { document, issues: mistakes, file, digest }] of request.documents.entries()) {
    const add = (found: readonly Issue[]) => issues.push(...found.map((one) => within(index, one)));
    await ctx.budget.spend();
    if (document === null) {
      add(mistakes);
      continue;
    }
    const kind = kindOf(document.kind);
    const name = kind.nameOf(document);
    const key = `${document.kind} ${name}`;
    const first = seen.get(key);
    const items = inventory.get(document.kind)?.get(name) ?? [];
    const [item = null] = items;
    if (first !== undefined) add([duplicate(request, first, document.kind, name)]);
    else if (items.length > 1) add([ambiguous(items)]);
    else if (item?.set && item.set !== request.set) add([declaredElsewhere(item.set)]);
    if (first === undefined) seen.set(key, index);
    add((await kind.issuesOf?.(lookups, document, item)) ?? []);
    const { before, after, isSame, given = null } = await kind.compare(lookups, document, item);
    const isAdopted = kind.owned && item?.set !== request.set;
    const change = item ? (isSame ? (isAdopted ? "adopted" : "unchanged") : "updated") : "created";
    const shown = isSame ? { before: null, after: null } : { before, after };
    const origin = { set: request.set, file, digest };
    const what = { kind: document.kind, name, change, origin, ...shown, given } as const;
    changes.push({ ...what, index, document, item, facts: undefined });
  }
  requireNone(issues);
  if (request.prune) changes.push(...(await deletions(lookups, inventory, request.set, seen)));
  requireNone(withoutRoom(inventory, changes));
  await findFacts(lookups, changes);
  const digest = await digestOf(ctx, changes, expected);
  return { changes, digest, kinds: [...inventory.keys()], stamp: stampOf(inventory) };
}

function requireNone(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  throw validationFailed(issues.slice(0, maxDeclarationIssues), "set of declarations");
}

/**
 * Finds the facts of the changes in the order of `declarationKinds`, because later kinds use the
 * facts of earlier ones.
 */
async function findFacts(lookups: Lookups, changes: readonly Change[]): Promise<void> {
  for (const name of declarationKinds) {
    const kind = kindOf(name);
    for (const each of changes) {
      const { document, item, change } = each;
      if (each.kind !== name || change === "unchanged") continue;
      if (document) each.facts = await kind.factsOf?.(lookups, document, item, changes);
      else if (item) each.facts = await kind.factsOfDeleted?.(lookups, item);
      await lookups.ctx.budget.spend();
    }
  }
}

/** Returns an issue for each document that exceeds the maximum number of objects of its kind. */
function withoutRoom(inventory: Inventory, changes: readonly Change[]): Issue[] {
  return [...inventory].flatMap(([name, byName]) => {
    const { most = Number.POSITIVE_INFINITY } = kindOf(name);
    const ofKind = changes.filter(({ kind }) => kind === name);
    const deleted = ofKind.filter(({ change }) => change === "deleted").length;
    const stored = [...byName.values()].flat().length - deleted;
    const created = ofKind.filter(({ change }) => change === "created");
    const message = `there can be at most ${most} objects of the kind ${name}; delete some first`;
    return created
      .slice(Math.max(0, most - stored))
      .map(({ index }) => within(index, { path: "", message }));
  });
}

/** The kinds that a request can change. With `prune`, these are all kinds that sets own. */
function kindsOf({ documents, prune }: Request): DeclarationKind[] {
  const named = new Set(documents.map(({ document }) => document?.kind));
  return declarationKinds.filter((kind) => named.has(kind) || (prune && kindOf(kind).owned));
}

export async function inventoryOf(
  ctx: Ctx,
  db: Reader,
  kinds: readonly DeclarationKind[],
): Promise<Inventory> {
  const lists = kinds.map(async (kind) => {
    const items = await kindOf(kind).list(ctx, db);
    return [kind, Map.groupBy(items, ({ name }) => name)] as const;
  });
  return new Map(await Promise.all(lists));
}

/** Returns a hash that changes when the declared part of any object does. */
export function stampOf(inventory: Inventory): string {
  const hash = createHash("sha256");
  for (const [kind, byName] of inventory) {
    hash.update(`${kind}\n`);
    for (const { id, stamp } of [...byName.values()].flat()) hash.update(`${id} ${stamp}\n`);
  }
  return hash.digest("hex");
}

async function deletions(
  lookups: Lookups,
  inventory: Inventory,
  set: string,
  seen: ReadonlyMap<string, number>,
): Promise<Change[]> {
  const origin = { set, file: null, digest: null };
  const changes: Change[] = [];
  for (const [kind, byName] of inventory) {
    for (const item of [...byName.values()].flat()) {
      const { name } = item;
      if (item.set !== set || seen.has(`${kind} ${name}`)) continue;
      const before = await kindOf(kind).formOf(lookups, item);
      const what = { kind, name, change: "deleted", origin, before, after: null } as const;
      changes.push({ ...what, given: null, index: -1, document: null, item, facts: undefined });
      await lookups.ctx.budget.spend();
    }
  }
  return changes;
}

const saltBytes = 16;
const hashLength = 64;

/**
 * If the changes contain secrets, the digest begins with a random salt. Otherwise, somebody who
 * sees the digest of a preview could guess the secrets in it by making previews.
 */
async function digestOf(
  { core, budget }: Ctx,
  changes: readonly Change[],
  expected: string | undefined,
): Promise<string> {
  const isSalted = changes.some(({ given }) => given !== null);
  const salt = isSalted ? (expected?.slice(0, -hashLength) ?? newSalt(core)) : "";
  const hmac = createHmac("sha256", derivedKey(core.auditKey, "declaration plans", salt));
  for (const { kind, name, change, before, after, given, item } of changes) {
    const compared = { kind, name, change, before, after, given, id: item?.id ?? null };
    hmac.update(`${canonicalJson(compared)}\n`);
    await budget.spend();
  }
  return salt + hmac.digest("hex");
}

function newSalt({ fillRandom }: Core): string {
  const salt = Buffer.alloc(saltBytes);
  fillRandom(salt);
  return salt.toString("hex");
}

export function within(index: number, { path, message }: Issue): Issue {
  const place = `documents.${index}.document`;
  return { path: path === "" ? place : `${place}.${path}`, message };
}

function duplicate(
  { documents }: Request,
  first: number,
  kind: DeclarationKind,
  name: string,
): Issue {
  const file = documents[first]?.file;
  const message = `${kind} ${name} is declared twice: first in ${file}`;
  return { path: kindOf(kind).owned ? "name" : "kind", message };
}

function ambiguous(items: readonly Stored[]): Issue {
  const ids = items.map(({ id }) => id).join(", ");
  const message = `is ambiguous: ${items.length} objects have this name: ${ids}`;
  return { path: "name", message };
}

function declaredElsewhere(set: string): Issue {
  const message = `the set ${set} already declares an object with this name`;
  return { path: "name", message };
}
