// `agents label` and `services label`, which change assigned labels of items, by name or by a
// selector. If no changes are given, they show the labels.

import type { Noun } from "../../api/contract/noun.ts";
import type { LabelChanges } from "../../domain/fleet/labels.ts";
import type { CommandFunction, Invocation } from "../command.ts";
import { patiently } from "../connecting/patient-client.ts";
import { CliError, exit, usageError } from "../exit.ts";
import { keyAndValue } from "../key-and-value.ts";
import { printWhole } from "../output/listing.ts";
import { act, chosenRows } from "./acts.ts";
import { type LoadPrint, show } from "./run.ts";
import { listViewOf } from "./view.ts";

/** The words with `=`, or with `-` at their end, are changes. The others are names. */
export function label(noun: Noun, print: LoadPrint): CommandFunction {
  return async (invocation) => {
    const names = invocation.args.filter((word) => !isChange(word));
    const changes = invocation.args.filter(isChange);
    const onNames = { ...invocation, args: names };
    if (changes.length === 0) await withAdvice(invocation.args, showLabels(noun, print, onNames));
    else await act(noun, "label", print, { labels: changesIn(changes) })(onNames);
  };
}

/** A later word that names nothing may be a label without a value. */
async function withAdvice(words: readonly string[], work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof CliError && error.status === exit.notFound)) throw error;
    const key = words.slice(1).find((word) => error.message.includes(` ${word}.`));
    if (key === undefined) throw error;
    const message = `${error.message} To assign a label, write ${key}=VALUE.`;
    throw new CliError(error.status, message, { code: error.code, details: error.details });
  }
}

async function showLabels(noun: Noun, print: LoadPrint, invocation: Invocation): Promise<void> {
  const rows = await chosenRows(noun, "label", patiently(invocation));
  const [only] = rows;
  // Only the details of an item say where its labels come from.
  if (only && invocation.options.selector === undefined && rows.length === 1)
    await show(noun, invocation, only, print);
  else {
    const columns = invocation.options.columns ?? `${noun.code},labels`;
    printWhole(
      { ...invocation, options: { ...invocation.options, columns } },
      rows,
      listViewOf(noun),
    );
  }
}

function isChange(word: string): boolean {
  return word.includes("=") || word.endsWith("-");
}

function changesIn(words: readonly string[]): LabelChanges {
  const changes = new Map<string, string | null>();
  for (const word of words) {
    const [key, value] = changeOf(word);
    if (changes.has(key)) throw usageError(`the label ${key} is given twice.`);
    changes.set(key, value);
  }
  return Object.fromEntries(changes);
}

function changeOf(word: string): [key: string, value: string | null] {
  const isRemoval = word.length > 1 && !word.includes("=");
  return isRemoval ? [word.slice(0, -1), null] : keyAndValue(word, "give KEY=VALUE or KEY-");
}
