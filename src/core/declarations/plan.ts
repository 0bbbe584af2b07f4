// Compares declarations with the stored objects, and returns either the changes that `apply` would make
// or every mistake.

import { createHmac, hkdfSync } from "node:crypto";
import {
  type ChangeKind,
  type DeclarationKind,
  declarationKinds,
  type Origin,
} from "../../domain/declarations.ts";
import { type Issue, validationFailed } from "../../domain/errors.ts";
import { maxDeclarationIssues } from "../../domain/limits.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { Reader } from "../../store/database.ts";
import type { Core, Ctx } from "../context.ts";
import type { Comparison, DocumentOf, Stored } from "./kind.ts";
import { kindOf } from "./kinds/index.ts";
import type { Request } from "./request.ts";

type AnyDocument = DocumentOf<DeclarationKind>;

export interface Change {
  kind: DeclarationKind;
  name: string;
  change: ChangeKind;
  origin: Origin;
  before: JsonObject | null;
  after: JsonObject | null;
  given: Comparison["given"];
  /** The index in the request; -1 if the object is deleted. */
  index: number;
  document: AnyDocument | null;
  item: Stored | null;
}

export interface Plan {
  changes: Change[];
  /** Identifies the changes, including the secrets. */
  digest: string;
}

type Inventory = Map<DeclarationKind, Map<string, Stored[]>>;

/**
 * The digest is that of `expected`, the plan of a preview, if the changes are still the same. Throws
 * VALIDATION_FAILED with all mistakes.
 */
export async function planOf(
  ctx: Ctx,
  db: Reader,
  request: Request,
  expected?: string,
): Promise<Plan> {
  const inventory = await inventoryOf(ctx, db, kindsOf(request));
  const issues: Issue[] = [];
  const changes: Change[] = [];
  const seen = new Map<string, number>();
  for (const [index, { document: checked, file, digest }] of request.documents.entries()) {
    const add = (found: readonly Issue[]) => issues.push(...found.map((one) => within(index, one)));
    const { document } = checked;
    if (document === null) {
      add(checked.issues);
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
    add((await kind.issuesOf?.(ctx, db, document, item)) ?? []);
    const { before, after, isSame, given } = await kind.compare(ctx, db, document, item);
    const isAdopted = kind.owned && item?.set !== request.set;
    const change = item ? (isSame ? (isAdopted ? "adopted" : "unchanged") : "updated") : "created";
    const shown = isSame ? { before: null, after: null } : { before, after };
    const origin = { set: request.set, file, digest };
    const what = { kind: document.kind, name, origin, ...shown, given };
    changes.push({ ...what, change, index, document, item });
  }
  if (issues.length > 0) {
    throw validationFailed(issues.slice(0, maxDeclarationIssues), "set of declarations");
  }
  if (request.prune) changes.push(...(await deletions(db, inventory, request.set, seen)));
  return { changes, digest: digestOf(ctx.core, changes, expected) };
}

/** What a request can change. With `prune`, that can be anything. */
function kindsOf({ documents, prune }: Request): DeclarationKind[] {
  const named = new Set(documents.map(({ document }) => document.document?.kind));
  return declarationKinds.filter((kind) => named.has(kind) || (prune && kindOf(kind).owned));
}

async function inventoryOf(
  ctx: Ctx,
  db: Reader,
  kinds: readonly DeclarationKind[],
): Promise<Inventory> {
  const inventory: Inventory = new Map();
  for (const kind of kinds) {
    const items = await kindOf(kind).list(ctx, db);
    inventory.set(
      kind,
      Map.groupBy(items, ({ name }) => name),
    );
  }
  return inventory;
}

async function deletions(
  db: Reader,
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
      const before = await kindOf(kind).formOf(db, item);
      const what = { kind, name, change: "deleted", origin, before, after: null } as const;
      changes.push({ ...what, given: null, index: -1, document: null, item });
    }
  }
  return changes;
}

const saltBytes = 16;
const hashLength = 64;

/**
 * With secrets, the digest is keyed and begins with a random salt. Otherwise somebody who sees the plan
 * of another preview could guess the secrets in it, by previews of their own.
 */
function digestOf(core: Core, changes: readonly Change[], expected: string | undefined): string {
  const all = changes.map(({ kind, name, change, before, after, given, item }) => {
    return { kind, name, change, before, after, given: given ?? null, id: item?.id ?? null };
  });
  const isSalted = changes.some(({ given }) => given);
  const salt = isSalted ? (expected?.slice(0, -hashLength) ?? newSalt(core)) : "";
  const key = Buffer.from(hkdfSync("sha256", core.auditKey, salt, "declaration plans", 32));
  return salt + createHmac("sha256", key).update(canonicalJson(all)).digest("hex");
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
