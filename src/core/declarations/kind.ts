// The interface that each kind of declared object implements for `apply`.

import type { DeclaredDocument } from "../../api/shapes/declared-documents.ts";
import type { ChangeKind, DeclarationKind, Declared, Origin } from "../../domain/declarations.ts";
import type { Issue } from "../../domain/errors.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import type { SecretsGiven } from "../../domain/secrets/secrecy.ts";
import type { Reader, Tx } from "../../store/database.ts";
import type { Ctx } from "../context.ts";
import type { Lookups } from "../lookups.ts";

export type DocumentOf<K extends DeclarationKind> = Extract<DeclaredDocument, { kind: K }>;

/** A stored object. */
export interface Stored {
  id: string | null;
  name: string;
  /** The set that declares it; null if none does. */
  set: string | null;
  /** The file that declares it; null if that is not known. */
  file: string | null;
  /** Changes whenever the declared part of the object does. */
  stamp: string;
}

/** An object that has a row of its own. */
export interface StoredRow extends Stored {
  id: string;
}

export function storedOf(row: { id: string; name: string; version: number } & Declared): StoredRow {
  const { id, name, declared, declaredFile, version } = row;
  return { id, name, set: declared, file: declaredFile, stamp: String(version) };
}

/** What an apply would do with one object. */
export interface Change {
  kind: DeclarationKind;
  name: string;
  change: ChangeKind;
  origin: Origin;
  before: JsonObject | null;
  after: JsonObject | null;
  /** The secrets that the document gives; null if it gives none. */
  given: NonNullable<Comparison["given"]> | null;
  /** The index of the document in the request; -1 if the object is deleted. */
  index: number;
  document: DeclaredDocument | null;
  item: Stored | null;
  /** The result of `factsOf` or `factsOfDeleted`. */
  facts: unknown;
}

interface Comparison {
  /** The declared form of the stored object; null if there is none. */
  before: JsonObject | null;
  after: JsonObject;
  /** Whether `before` and `after` have the same effect. */
  isSame: boolean;
  /**
   * The secrets that the document contains in plain text, and who gave the secrets that they
   * replace.
   */
  given?: { secrets: Json[]; replaced: SecretsGiven | null } | null;
}

export interface ApplyContext<Facts> {
  facts: Facts;
  origin: Origin;
  /** Why an owner bypasses approval; undefined if nobody does. */
  breakGlass: string | undefined;
  /** Reads something in the transaction, once for all changes. */
  once: Lookups["once"];
}

/**
 * An apply can have a thousand documents, and other writes wait for its transaction. Therefore,
 * each kind computes as much as possible before the transaction: in `compare`, `factsOf` and
 * `factsOfDeleted`.
 */
export interface Kind<Doc, Item extends Stored = Stored, Facts = unknown> {
  /**
   * Whether a set owns the objects of this kind that it declares, and can therefore delete them.
   */
  owned: boolean;
  /** The maximum number of objects of this kind. */
  most?: number;
  nameOf(document: Doc): string;
  /** Lists all objects that can be declared. */
  list(ctx: Ctx, db: Reader): Promise<Item[]>;
  /** Finds mistakes that depend on what is stored, with paths in the document. */
  issuesOf?(lookups: Lookups, document: Doc, item: Item | null): Promise<Issue[]>;
  compare(lookups: Lookups, document: Doc, item: Item | null): Promise<Comparison>;
  /**
   * Computes what `create` and `update` need. `changes` are all changes of the apply. Changes of
   * earlier kinds (in the order of `declarationKinds`) already have their facts.
   */
  factsOf?(
    lookups: Lookups,
    document: Doc,
    item: Item | null,
    changes: readonly Change[],
  ): Promise<Facts>;
  /** Computes what `delete` needs. */
  factsOfDeleted?(lookups: Lookups, item: Item): Promise<Facts>;
  /** Returns the id. The caller has checked that no object has this name. */
  create(ctx: Ctx, tx: Tx, document: Doc, making: ApplyContext<Facts>): Promise<string | null>;
  update(
    ctx: Ctx,
    tx: Tx,
    item: Item,
    document: Doc,
    making: ApplyContext<Facts>,
  ): Promise<unknown>;
  /**
   * Stores the new name of the file of an unchanged object. It writes no audit row and keeps the
   * version, because the object itself does not change.
   */
  noteFile(tx: Tx, item: Item, document: Doc, origin: Origin): Promise<unknown>;
  delete(ctx: Ctx, tx: Tx, item: Item, making: ApplyContext<Facts>): Promise<void>;
  /** The declared form of an object, to show what is deleted. */
  formOf(lookups: Lookups, item: Item): Promise<JsonObject>;
  /**
   * Returns warnings about the object, such as reasons why it would currently fail. `changes` are
   * all changes of the apply.
   */
  warningsOf?(
    lookups: Lookups,
    document: Doc,
    id: string | null,
    changes: readonly Change[],
  ): Promise<string[]>;
  /** Whether what a document declares would have no effect until it is approved. */
  needsApproval?(
    lookups: Lookups,
    document: Doc,
    item: Item | null,
    facts: Facts,
  ): Promise<boolean>;
  /** Returns the ids of those objects that have no effect until they are approved. */
  awaitingApproval?(db: Reader, ids: readonly string[]): Promise<Set<string>>;
}
