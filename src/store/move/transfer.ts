// Copies all rows, reads them back from the target, and compares the counts and digests.

import type { OnMoveProgress } from "../../domain/storage/moves.ts";
import { layoutDifference, type TableLayout } from "./layout.ts";
import { type Batch, lineOf, makeStorable, TableDigest } from "./row-lines.ts";
import type { MoveSide, MoveSource, MoveTarget } from "./sides.ts";

interface Options {
  signal: AbortSignal;
  onProgress: OnMoveProgress;
}

interface MovedTable {
  table: string;
  rows: number;
  sha256: string;
}

interface Transferred {
  tables: MovedTable[];
  /** How many texts were changed, because PostgreSQL cannot store them as they were. */
  replacedTexts: number;
}

/** Throws if the target does not contain exactly the rows that were read. */
export async function transfer(
  source: MoveSource,
  target: MoveTarget,
  options: Options,
): Promise<Transferred> {
  const tables = await source.layout();
  const difference = layoutDifference(tables, await target.layout());
  if (difference !== null) throw new Error(`the schemas differ: ${difference}`);
  const total = await countAll(source, tables);
  const moving = new Pass(source, "moving", total, options);
  const sent: MovedTable[] = [];
  for (const table of tables) {
    const digest = new TableDigest();
    await target.insert(table, moving.batches(table, digest));
    sent.push({ table: table.name, ...digest.end() });
  }
  options.onProgress("building indexes", 0, 0);
  await target.inserted(tables, options.signal);
  const comparing = new Pass(target, "comparing", total, options);
  for (const [at, table] of tables.entries()) {
    const digest = new TableDigest();
    for await (const _ of comparing.batches(table, digest));
    const { rows, sha256 } = digest.end();
    const wanted = sent[at];
    if (rows === wanted?.rows && sha256 === wanted.sha256) continue;
    throw new Error(
      `the target's table ${table.name} differs from the source's: it has ${rows} of ${wanted?.rows} rows`,
    );
  }
  return { tables: sent, replacedTexts: moving.replacedTexts };
}

async function countAll({ read }: MoveSide, tables: TableLayout[]): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    const row = await read.get<{ count: number }>(`SELECT COUNT(*) AS "count" FROM "${name}"`);
    total += row?.count ?? 0;
  }
  return total;
}

/** One pass over all tables of a database. */
class Pass {
  replacedTexts = 0;
  #done = 0;
  readonly #side: MoveSide;
  readonly #doing: string;
  readonly #total: number;
  readonly #options: Options;

  constructor(side: MoveSide, doing: string, total: number, options: Options) {
    this.#side = side;
    this.#doing = doing;
    this.#total = total;
    this.#options = options;
  }

  async *batches(table: TableLayout, digest: TableDigest): AsyncGenerator<Batch> {
    const { signal, onProgress } = this.#options;
    for await (const rows of this.#side.rows(table)) {
      signal.throwIfAborted();
      for (const row of rows) this.replacedTexts += makeStorable(row);
      const lines = rows.map(lineOf).join("");
      digest.add(lines, rows.length);
      this.#done += rows.length;
      onProgress(`${this.#doing} ${table.name}`, this.#done, this.#total);
      yield { rows, lines };
    }
  }
}
