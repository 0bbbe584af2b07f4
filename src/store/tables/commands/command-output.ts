// Stores the output of commands, in pages.

import type { OutputPage } from "../../../domain/output/output.ts";
import { storableText } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { listFinder } from "../../rows.ts";
import { all, get, run } from "../../sql-tag.ts";

type PageRow = Omit<OutputPage, "parts"> & { parts: string };

export async function findLastPage(db: Reader, commandId: string): Promise<OutputPage | null> {
  const row = await get(
    db,
  )<PageRow>`SELECT number, first_byte AS "offset", next_byte AS "next", parts
     FROM command_output_pages WHERE command_id = ${commandId} ORDER BY number DESC LIMIT 1`;
  return row ? toPage(row) : null;
}

/** Finds the last page of each command. Commands without output are left out. */
export const findLastPages = listFinder(
  (places) => `SELECT p.command_id AS "key", p.number, p.first_byte AS "offset",
       p.next_byte AS "next", p.parts
     FROM command_output_pages p
     WHERE p.command_id IN (${places}) AND p.number =
       (SELECT MAX(l.number) FROM command_output_pages l WHERE l.command_id = p.command_id)`,
  toPage,
);

/** Returns the pages that are not wholly before `after`, oldest first. */
export async function listPagesAfter(
  db: Reader,
  commandId: string,
  after: number,
  limit: number,
): Promise<OutputPage[]> {
  const rows = await all(
    db,
  )<PageRow>`SELECT number, first_byte AS "offset", next_byte AS "next", parts
     FROM command_output_pages WHERE command_id = ${commandId} AND next_byte > ${after}
     ORDER BY number LIMIT ${limit}`;
  return rows.map(toPage);
}

export async function insertPage(tx: Tx, commandId: string, page: OutputPage): Promise<void> {
  const { number, offset, next } = page;
  await run(tx)`INSERT INTO command_output_pages (command_id, number, first_byte, next_byte, parts)
     VALUES (${commandId}, ${number}, ${offset}, ${next}, ${partsColumn(page)})`;
}

export async function updatePage(tx: Tx, commandId: string, page: OutputPage): Promise<void> {
  const { number, next } = page;
  await run(tx)`UPDATE command_output_pages SET next_byte = ${next}, parts = ${partsColumn(page)}
     WHERE command_id = ${commandId} AND number = ${number}`;
}

/** Deletes the pages whose numbers are at least `from` and below `before`. */
export async function deletePages(
  tx: Tx,
  commandId: string,
  { from, before }: { from: number; before: number },
): Promise<void> {
  await run(tx)`DELETE FROM command_output_pages
     WHERE command_id = ${commandId} AND number >= ${from} AND number < ${before}`;
}

function partsColumn({ parts }: OutputPage): string {
  const storable = parts.map((part) =>
    part.kind === "TEXT" ? { ...part, text: storableText(part.text) } : part,
  );
  return JSON.stringify(storable);
}

function toPage(row: PageRow): OutputPage {
  return { ...row, parts: JSON.parse(row.parts) };
}
