// Writes a row as one line, in the text format of PostgreSQL's COPY. The digests of these lines are
// compared, so the same row is the same line on both engines.

import { createHash, type Hash } from "node:crypto";
import { storableText } from "../columns.ts";

/** The texts of a row's columns, in order. Numbers are in decimal digits. */
export type RowTexts = (string | null)[];

/** Some rows of a table, and the same rows as lines. */
export interface Batch {
  rows: RowTexts[];
  lines: string;
}

const special = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
};

export function lineOf(row: RowTexts): string {
  return `${row.map(fieldOf).join("\t")}\n`;
}

function fieldOf(text: string | null): string {
  if (text === null) return "\\N";
  return special.test(text) ? text.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? "") : text;
}

const unstorable = /[\0\ud800-\udfff]/;

/**
 * Replaces characters that the engines cannot store or return unchanged, as every write of this
 * program does. Returns how many texts changed.
 */
export function makeStorable(row: RowTexts): number {
  let changed = 0;
  for (const [at, text] of row.entries()) {
    if (text === null || !unstorable.test(text)) continue;
    const storable = storableText(text);
    if (storable === text) continue;
    row[at] = storable;
    changed++;
  }
  return changed;
}

/** Counts the rows of a table, and computes their digest in the order of the key. */
export class TableDigest {
  rows = 0;
  readonly #hash: Hash = createHash("sha256");

  add(lines: string, rows: number): void {
    this.#hash.update(lines);
    this.rows += rows;
  }

  /** Returns the result. Nothing can be added after this. */
  end(): { rows: number; sha256: string } {
    return { rows: this.rows, sha256: this.#hash.digest("hex") };
  }
}
