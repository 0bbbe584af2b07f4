// Describes what a move reads from one database and writes to the other.

import type { MovedTo } from "../../domain/storage/moves.ts";
import type { Place } from "../../domain/storage/place.ts";
import type { Reader, Tx } from "../database.ts";
import type { TableLayout } from "./layout.ts";
import type { Batch, RowTexts } from "./row-lines.ts";

export interface MovedKeys {
  audit: Buffer;
  /** Null if the session secret is a setting instead of a file. */
  session: Buffer | null;
}

export interface MoveSide {
  /** The name of the database, without a password. */
  readonly name: string;
  readonly read: Reader;
  layout(): Promise<TableLayout[]>;
  /** Returns rows in the order of the primary key, some at a time. */
  rows(table: TableLayout): AsyncIterable<RowTexts[]>;
  /** Undoes what was not committed. */
  close(): Promise<void>;
}

/** No other process changes the database while this is open. */
export interface MoveSource extends MoveSide {
  readonly place: Place;
  /** Writes the mark, or removes it. Resolves when the change is durable. */
  mark(mark: MovedTo | null): Promise<void>;
}

/** One transaction, whose changes nobody sees before its commit. */
export interface MoveTarget extends MoveSide {
  readonly tx: Tx;
  /** Replaces the rows of a table. The caller first inserts the tables that it refers to. */
  insert(table: TableLayout, batches: AsyncIterable<Batch>): Promise<void>;
  /** Called after the last row, before anything is read. */
  inserted(tables: TableLayout[], signal: AbortSignal): Promise<void>;
  /**
   * Resolves when everything is durable. If it throws `CommitUnknown`, everything may be durable.
   * After any other error, everything is undone.
   */
  commit(): Promise<void>;
}

/** The connection was lost while the target was committed, or its folder could not be flushed. */
export class CommitUnknown extends Error {}
