// What an apply needs to know of each kind of declaration.

import type { CheckedDocument } from "../../api/shapes/declared-documents.ts";
import type { DeclarationKind, Declared, Origin } from "../../domain/declarations.ts";
import type { Issue } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import type { Reader, Tx } from "../../store/database.ts";
import type { Ctx } from "../context.ts";

type AnyDocument = NonNullable<CheckedDocument["document"]>;
export type DocumentOf<K extends DeclarationKind> = Extract<AnyDocument, { kind: K }>;

/** An object that exists. */
export interface Stored {
  id: string | null;
  name: string;
  /** The set that declares it; null if none does. */
  set: string | null;
  /** Its file, if it is known. */
  file: string | null;
}

/** An object that has a row of its own. */
export interface StoredRow extends Stored {
  id: string;
}

export function storedOf(row: { id: string; name: string } & Declared): StoredRow {
  const { id, name, declared, declaredFile } = row;
  return { id, name, set: declared, file: declaredFile };
}

export interface Comparison {
  /** The declared form of what is stored; null if nothing is. */
  before: JsonObject | null;
  after: JsonObject;
  /** Whether both have the same effect. */
  isSame: boolean;
}

export interface Making {
  origin: Origin;
  /** Why an owner does without approval. */
  breakGlass: string | undefined;
}

export interface Kind<Doc, Item extends Stored = Stored> {
  /** Whether a set owns its objects, and therefore can delete them. */
  owned: boolean;
  nameOf(document: Doc): string;
  /** Lists all objects that can be declared. */
  list(ctx: Ctx, db: Reader): Promise<Item[]>;
  /** Finds mistakes that depend on what is stored, with paths in the document. */
  issuesOf?(ctx: Ctx, db: Reader, document: Doc, item: Item | null): Promise<Issue[]>;
  compare(ctx: Ctx, db: Reader, document: Doc, item: Item | null): Promise<Comparison>;
  /** Returns the id. */
  create(ctx: Ctx, tx: Tx, document: Doc, making: Making): Promise<string | null>;
  update(ctx: Ctx, tx: Tx, item: Item, document: Doc, making: Making): Promise<unknown>;
  /**
   * Records the file of an object that an apply leaves as it is, because the file was renamed. No
   * operator's change is lost or made by this, so it has no audit row, and the version stays.
   */
  noteFile(tx: Tx, item: Item, document: Doc, origin: Origin): Promise<unknown>;
  delete(ctx: Ctx, tx: Tx, item: Item, origin: Origin): Promise<void>;
  /** The declared form of an object, to show what is deleted. */
  formOf(db: Reader, item: Item): Promise<JsonObject>;
  /** Describes what is valid, but looks like a mistake. */
  warningsOf?(ctx: Ctx, db: Reader, document: Doc, id: string | null): Promise<string[]>;
  /** Whether policies demand approval for what a document declares. */
  needsApproval?(ctx: Ctx, db: Reader, document: Doc): Promise<boolean>;
  /** Whether a stored object has no effect until it is approved. */
  isAwaitingApproval?(db: Reader, id: string): Promise<boolean>;
}
