// Opens a stored rule in the user's editor, and saves it if nobody else has changed it.

import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { CliError, exit } from "../exit.ts";
import { printableText } from "../output/printable.ts";
import type { Io } from "../terminal/io.ts";
import { askYesNo } from "../terminal/prompts.ts";
import { RuleEditor } from "./rule-editor.ts";
import type { RuleKind } from "./rule-kind.ts";
import { differences, merged, textOf } from "./rule-text.ts";

interface Stored {
  id: string;
  name: string;
  version: number;
}

interface Editing<Rule extends Stored, Saved> {
  find(): Promise<Rule>;
  get(id: string): Promise<Rule>;
  /** Returns the writable fields. */
  writtenOf(rule: Rule): JsonObject;
  /** Throws VERSION_CONFLICT if `seen` is no longer the current version. */
  replace(seen: Rule, written: JsonObject): Promise<Saved>;
}

/**
 * `instead` is the advice for users without an editor. `open` is called only if there is an editor.
 * `saved` is null if nothing was changed.
 */
export async function editRule<Rule extends Stored, Saved>(
  io: Io,
  kind: RuleKind,
  instead: string,
  open: () => Promise<Editing<Rule, Saved>>,
): Promise<{ seen: Rule; saved: Saved | null }> {
  using editor = new RuleEditor(io, kind, instead);
  const { find, get, writtenOf, replace } = await open();
  let seen = await find();
  const text = textOf(kind, writtenOf(seen), titleOf(kind, seen));
  const saved = await editor.edit<Saved | null>(text, false, async (file) => {
    const before = writtenOf(seen);
    const wanted = { ...keptOf(kind, before), ...file.rule };
    if (isDeepStrictEqual(wanted, before)) return { done: null };
    try {
      return { done: await replace(seen, wanted) };
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    seen = await get(seen.id);
    const changes = differences(before, writtenOf(seen));
    await offerAgain(io, editor, seen, changes);
    const title = "Changed in the meantime:";
    const mine = merged(before, wanted, writtenOf(seen));
    return { reopen: textOf(kind, mine, titleOf(kind, seen), [title, ...changes]) };
  });
  return { seen, saved };
}

/** Returns the fields that keep their values if a text leaves them out. */
export function keptOf({ kept }: RuleKind, written: JsonObject): JsonObject {
  return Object.fromEntries(
    kept.flatMap((field) => (field in written ? [[field, written[field] ?? null]] : [])),
  );
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
  const word = `${one.slice(0, 1).toUpperCase()}${one.slice(1)}`;
  return `${word} ${JSON.stringify(name)}, ${id}, version ${version}.`;
}
