// Runs the commands that all nouns share: list, get, and acts that need only an id.

import type { Noun } from "../../api/contract/noun.ts";
import type { CommandFunction, Invocation } from "../command.ts";
import { resolve } from "../names/resolve.ts";
import { printPages } from "../output/listing.ts";
import { type OutputOptions, printOne } from "../output/output.ts";
import { printableLine } from "../output/printable.ts";
import type { Io } from "../terminal/io.ts";
import { confirmOrRefuse } from "../terminal/prompts.ts";
import { filtersOf } from "./filters.ts";
import { callOn, listPage, type Row, titleOf } from "./rows.ts";
import { answerView, listViewOf, viewOf } from "./view.ts";

/** Loads a function that prints one row; by default `printOne` does, with the noun's columns. */
export type LoadPrint = () => Promise<(io: Io, options: OutputOptions, row: never) => void>;

export function listRows(noun: Noun): CommandFunction {
  return async (invocation) => {
    const { io, options } = invocation;
    const api = await invocation.client();
    const filters = await filtersOf(io, api, noun, options);
    await printPages(invocation, listViewOf(noun), filters, (page) =>
      listPage(api, noun, { ...page, ...filters }),
    );
  };
}

export function getRow(noun: Noun, print?: LoadPrint): CommandFunction {
  return async (invocation) => {
    const { args, client } = invocation;
    const api = await client();
    const id = await resolve(api, noun, args[0] ?? "");
    await show(noun, invocation, await callOn(api, noun, "get", id), print);
  };
}

export function act(noun: Noun, word: string, print?: LoadPrint): CommandFunction {
  const { asks, refusedWhen } = noun.acts[word] ?? {};
  return async (invocation) => {
    const { io, args, options, client } = invocation;
    const api = await client();
    const id = await resolve(api, noun, args[0] ?? "");
    if (asks && !options.yes) {
      const row = await callOn(api, noun, "get", id);
      const isRefused = refusedWhen !== undefined && row.status === refusedWhen;
      await confirmOrRefuse(io, questionOf(noun, asks, row), isRefused);
    }
    const reply = await callOn(api, noun, word, id);
    const isRow = "id" in reply && !("deleted" in reply);
    if (isRow) await show(noun, invocation, reply, print);
    else printOne(io, options, reply, answerView(reply));
  };
}

function questionOf(noun: Noun, asks: string, row: Row): string {
  return asks.replace(/\{(\w+)\}/g, (_, field: string) =>
    printableLine(field === "title" ? titleOf(noun, row) : String(row[field])),
  );
}

export async function show(
  noun: Noun,
  { io, options }: Invocation,
  row: Row,
  print?: LoadPrint,
): Promise<void> {
  if (print) (await print())(io, options, row as never);
  else printOne(io, options, row, viewOf(noun));
}
