// Runs acts: operations on one item, on several named ones, or on all that a selector finds.

import { CommanderError } from "commander";
import { valueIn } from "../../api/contract/cells.ts";
import type { Noun } from "../../api/contract/noun.ts";
import type { Client } from "../../client/client.ts";
import { ServerError } from "../../client/failures.ts";
import { AppError } from "../../domain/errors.ts";
import { counted } from "../../lib/counted.ts";
import type { CommandFunction, Invocation } from "../command.ts";
import { patiently } from "../connecting/patient-client.ts";
import { CliError, exit, toCliError, usageError } from "../exit.ts";
import { callNamed } from "../names/resolve.ts";
import { firstNames } from "../output/first-names.ts";
import { allRows, printWhole } from "../output/listing.ts";
import { printableLine, printableText } from "../output/printable.ts";
import { noteFacts, noteLine } from "../terminal/notes.ts";
import { startProgress } from "../terminal/progress.ts";
import { confirmOrRefuse } from "../terminal/prompts.ts";
import { callOn, knownBy, listPage, lookAt, type Row, titleOf } from "./rows.ts";
import { type LoadPrint, show } from "./run.ts";
import { answerView, listViewOf, printAnswer } from "./view.ts";

/** `body` is sent for each item. */
export function act(noun: Noun, word: string, print?: LoadPrint, body?: object): CommandFunction {
  return async (invocation) => {
    const { args, options } = invocation;
    const isOne = args.length === 1 && options.selector === undefined;
    if (isOne) await actOnOne(noun, word, invocation, print, body);
    else await actOnAll(noun, word, patiently(invocation), body);
  };
}

/** Returns the items that are named, or that `--selector` selects. */
export async function chosenRows(noun: Noun, word: string, invocation: Invocation): Promise<Row[]> {
  const { args, options, client } = invocation;
  const isSelected = options.selector !== undefined;
  if (isSelected && args.length > 0) {
    throw usageError(`give ${noun.one}s by name or with --selector, not both.`);
  }
  if (!isSelected && args.length === 0) throw missing(noun);
  const api = await client();
  return isSelected ? selected(noun, word, invocation, api) : named(noun, api, args);
}

/** The parser's own error, to which the caller adds the names that exist. */
function missing({ one }: Noun): CommanderError {
  const message = `error: name at least one ${one}, or select some with --selector`;
  return new CommanderError(exit.usage, "commander.missingArgument", message);
}

async function actOnOne(
  noun: Noun,
  word: string,
  invocation: Invocation,
  print?: LoadPrint,
  body?: object,
) {
  const { asks, refusedWhen } = noun.acts[word] ?? {};
  const { io, args, options, client } = invocation;
  const api = await client();
  let [name = ""] = args;
  if (asks && !options.yes) {
    const row = await callNamed(api, noun, name, (id) => lookAt(api, noun, id));
    const isRefused = refusedWhen !== undefined && row.status === refusedWhen;
    await confirmOrRefuse(io, questionOf(noun, asks, row), isRefused);
    // Another thing could get the name while the user answers.
    name = row.id;
  }
  const reply = await callNamed(api, noun, name, (id) => callOn(api, noun, word, id, { body }));
  if (isRow(reply)) await show(noun, invocation, reply, print);
  else printAnswer(io, options, reply);
}

function questionOf(noun: Noun, asks: string, row: Row): string {
  return asks.replace(/\{(\w+)\}/g, (_, field: string) =>
    printableLine(field === "title" ? titleOf(noun, row) : String(row[field])),
  );
}

function isRow(reply: Row): boolean {
  return "id" in reply && !("deleted" in reply);
}

/** Every name must exist before anything is changed. */
async function named(noun: Noun, api: Client, names: string[]): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (const name of names) {
    const row = await callNamed(api, noun, name, (id) => lookAt(api, noun, id));
    rows.set(row.id, row);
  }
  return [...rows.values()];
}

/** Leaves out items whose state does not allow the operation. */
async function selected(
  noun: Noun,
  word: string,
  { io, options }: Invocation,
  api: Client,
): Promise<Row[]> {
  const { when = {} } = noun.acts[word] ?? {};
  const hasStatus = noun.filters.some(({ name }) => name === "status");
  // Most commands have ended, so only those that can be cancelled are read.
  const status = noun.isLong && hasStatus && when.status ? { status: when.status } : {};
  const { selector } = options;
  const progress = startProgress(io, `reading ${noun.group}`);
  const found = await allRows((page) =>
    listPage(api, noun, { ...page, ...status, selector }),
  ).finally(progress[Symbol.dispose]);
  const fits = (row: Row) =>
    Object.entries(when).every(([field, values]) => values?.includes(String(valueIn(row, field))));
  const left = found.filter((row) => !fits(row));
  if (left.length > 0) {
    const text = `Left out, because of their state: ${listed(noun, left)}.`;
    noteLine(io, options, "LEFT_OUT", text);
  }
  return found.filter(fits);
}

interface Failure {
  id: string;
  name: string;
  error: CliError;
}

/** A refusal of one item does not stop the rest. */
async function actOnAll(
  noun: Noun,
  word: string,
  invocation: Invocation,
  body?: object,
): Promise<void> {
  const { io, options, client } = invocation;
  const rows = await chosenRows(noun, word, invocation);
  const api = await client();
  const asks = noun.acts[word]?.asks !== undefined || options.selector !== undefined;
  if (asks && rows.length > 0) {
    const question = `Run \`${noun.group} ${word}\` on ${listed(noun, rows)}?`;
    await confirmOrRefuse(io, question, options.yes === true);
  }
  const done: Row[] = [];
  const failures: Failure[] = [];
  using progress = startProgress(io, `${noun.group} ${word}`);
  try {
    for (const [index, row] of rows.entries()) {
      progress.say(`${noun.group} ${word}: ${index} of ${rows.length}`);
      try {
        done.push(await callOn(api, noun, word, row.id, { body }));
      } catch (error) {
        failures.push({ id: row.id, name: titleOf(noun, row), error: toCliError(error) });
        if (error instanceof AppError || error instanceof ServerError) continue;
        if (rows.length > 1) noteFailures(invocation, failureOf(noun, index + 1, failures, true));
        throw error;
      }
    }
  } finally {
    printDone(noun, invocation, done);
  }
  if (failures.length > 0) throw failureOf(noun, rows.length, failures, false);
}

function printDone(noun: Noun, { io, options }: Invocation, done: Row[]): void {
  const [first] = done;
  const view = first && !isRow(first) ? answerView(first) : listViewOf(noun);
  const whenEmpty = "Nothing was changed.";
  printWhole({ io, options }, done, { ...view, whenEmpty });
}

/** Reports the failures up to the error that ends the command. The last item may have changed. */
function noteFailures({ io, options }: Invocation, { code, message, details }: CliError): void {
  noteFacts(io, options, printableText(message), { note: { code, message, details } });
}

/** `isCut` means that more items were to follow the first `count`. */
function failureOf({ one }: Noun, count: number, failures: Failure[], isCut: boolean): CliError {
  const [{ error: first }] = failures as [Failure];
  const lines = failures.map(({ name, error }) => `\n  ${name}: ${error.message}`);
  const all = `${isCut ? "the first " : ""}${count} ${one}${count === 1 ? "" : "s"}`;
  const which = isCut && count === 1 ? `the first ${one}` : `${failures.length} of ${all}`;
  const message = `failed for ${which}:${lines.join("")}`;
  const isSame = failures.every(({ error }) => error.status === first.status);
  return new CliError(isSame ? first.status : exit.failed, message, {
    code: failures.every(({ error }) => error.code === first.code) ? first.code : "PARTLY_FAILED",
    details: {
      failures: failures.map(({ id, name, error: { code, message } }) => ({
        id,
        name,
        error: { code, message },
      })),
    },
  });
}

/** How many names a question shows. */
const mostNames = 10;

function listed(noun: Noun, rows: Row[]): string {
  const names = rows.map((row) => printableLine(knownBy(noun, row)));
  return `${counted(rows.length, noun.one)}: ${firstNames(names, mostNames)}`;
}
