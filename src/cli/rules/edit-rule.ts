// Opens a stored rule in the user's editor, and saves it if nobody else has changed it.

import { isDeepStrictEqual } from "node:util";
import { nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { AppError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { capitalized } from "../../lib/capitalized.ts";
import type { Invocation } from "../command.ts";
import { CliError, exit } from "../exit.ts";
import { getNamed } from "../names/resolve.ts";
import { isForPeople } from "../output/output.ts";
import { printableText } from "../output/printable.ts";
import type { Io } from "../terminal/io.ts";
import { askYesNo } from "../terminal/prompts.ts";
import { RuleEditor } from "./rule-editor.ts";
import { keptOf, type RuleKind, writtenOf } from "./rule-kind.ts";
import { differences, merged, textOf } from "./rule-text.ts";

interface Stored {
  id: string;
  name: string;
  version: number;
}

interface Editing<Rule extends Stored, Saved> {
  /** Throws VERSION_CONFLICT if `seen` is no longer the current version. */
  replace(api: Client, seen: Stored, written: JsonObject): Promise<Saved>;
  printUnchanged(rule: Rule): void;
}

/** Edits the rule that the first argument names. Returns null if nothing was changed. */
export async function editRule<Rule extends Stored, Saved>(
  { io, args, options, client }: Invocation,
  kind: RuleKind,
  { replace, printUnchanged }: Editing<Rule, Saved>,
): Promise<Saved | null> {
  const [name = ""] = args;
  using editor = new RuleEditor(io, kind, `use ${nouns[kind.noun].group} update ${name} -f FILE`);
  const api = await client();
  const find = (text: string) => getNamed(api, kind.noun, text) as unknown as Promise<Rule>;
  let seen = await find(name);
  const text = textOf(kind, writtenOf(kind, seen), titleOf(kind, seen));
  const saved = await editor.edit<Saved | null>(text, false, async (file) => {
    const before = writtenOf(kind, seen);
    const wanted = { ...keptOf(kind, before), ...file.rule };
    if (isDeepStrictEqual(wanted, before)) return { done: null };
    try {
      return { done: await replace(api, seen, wanted) };
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    seen = await find(seen.id);
    const theirs = writtenOf(kind, seen);
    const changes = differences(before, theirs);
    await offerAgain(io, editor, seen, changes);
    const title = "Changed in the meantime:";
    const mine = merged(before, wanted, theirs);
    return { reopen: textOf(kind, mine, titleOf(kind, seen), [title, ...changes]) };
  });
  if (saved === null) {
    printUnchanged(seen);
    if (isForPeople(options)) io.note("\nNothing changed.\n");
  }
  return saved;
}

export function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === "VERSION_CONFLICT";
}

/** Reports the changes by others. Throws unless the user chooses to edit the new version. */
async function offerAgain(
  io: Io,
  editor: RuleEditor,
  newest: Stored,
  changes: string[],
): Promise<void> {
  const lines = changes.map((change) => `  ${printableText(change)}\n`).join("");
  const what = `${newest.name} was changed in the meantime, and now has version ${newest.version}`;
  io.note(`${printableText(what)}:\n${lines}`);
  if (io.interactive && (await askYesNo("Edit again, starting from the new version?", true)))
    return;
  const file = editor.keep();
  throw new CliError(exit.conflict, `${what}; nothing was saved. Your text is in ${file}.`, {
    code: "VERSION_CONFLICT",
    details: { currentVersion: newest.version, file },
  });
}

function titleOf({ one }: RuleKind, { name, id, version }: Stored): string {
  return `${capitalized(one)} ${JSON.stringify(name)}, ${id}, version ${version}.`;
}
