// Prints the changes of an apply: as a table, or as YAML diffs. Also counts them.

import { styleText } from "node:util";
import { formatPatch, structuredPatch } from "diff";
import type { Reply } from "../../../api/index.ts";
import type { ChangeKind } from "../../../domain/declarations.ts";
import type { Options } from "../../command.ts";
import { printWhole } from "../../output/listing.ts";
import { isForPeople, type ListView, type OutputOptions, printOne } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { loadYaml, toYaml } from "../../output/yaml.ts";
import type { Io } from "../../terminal/io.ts";

export type Changes = Reply<"declarations.apply">;
type Change = Changes["changes"][number];

const view: ListView<Change> = {
  columns: [
    { name: "change", value: ({ change }) => change, kind: "state" },
    { name: "kind", value: ({ kind }) => kind },
    { name: "name", value: ({ name }) => name, kind: "key" },
    { name: "file", value: ({ file }) => file },
    { name: "note", value: noteOf, kind: "prose" },
    { name: "id", value: ({ id }) => id, kind: "key", wide: true },
  ],
  nameOf: ({ kind, name }) => `${kind}/${name}`,
  whenEmpty: "Nothing to change.",
};

const waitsText = "Has no effect until it is approved.";

/** Returns a line for each changed object that waits for approval. */
export function waitingIn({ changes }: Changes): string[] {
  const waiting = changes.filter((change) => isChange(change) && change.awaitingApproval);
  return waiting.map((change) => `${titleOf(change)}: ${waitsText}`);
}

/** The caller prints the warnings about settings below. */
function noteOf({ kind, warnings, awaitingApproval }: Change): string {
  const waits = awaitingApproval ? [waitsText] : [];
  return [...waits, ...(kind === "Settings" ? [] : warnings)].join(" ");
}

/** Whether the changes were made, or are only shown. */
type Tense = "done" | "toDo";

export function isChange({ change }: Change): boolean {
  return change !== "unchanged";
}

/** JSON and YAML are the API's response. The other formats leave out what does not change. */
export async function printChanges(
  io: Io,
  options: Options,
  reply: Changes,
  tense: Tense,
): Promise<void> {
  const { output } = options;
  if (output === "json" || output === "yaml") {
    printOne(io, options, reply, { columns: [], nameOf: () => reply.set });
    return;
  }
  const changes = reply.changes.filter(isChange);
  if (options.diff === true) await printDiffs(io, changes, tense);
  else if (changes.length > 0 || !isForPeople(options)) printWhole({ io, options }, changes, view);
  if (options.diff !== true) return;
  for (const change of changes) {
    const note = noteOf(change);
    if (note !== "") io.note(`${titleOf(change)}: ${printableLine(note)}\n`);
  }
}

const done = {
  created: "created",
  updated: "updated",
  adopted: "adopted",
  deleted: "deleted",
  unchanged: "unchanged",
} as const satisfies Record<ChangeKind, string>;

const toDo = {
  ...done,
  created: "to create",
  updated: "to update",
  adopted: "to adopt",
  deleted: "to delete",
} as const satisfies Record<ChangeKind, string>;

/** For example `1 to create, 2 to update, 197 unchanged`. */
export function countsOf({ changes }: Changes, tense: Tense): string {
  const words = tense === "done" ? done : toDo;
  const counts = Map.groupBy(changes, ({ change }) => change);
  const parts = (Object.keys(words) as ChangeKind[]).flatMap((change) => {
    const count = counts.get(change)?.length ?? 0;
    return count === 0 ? [] : [`${count} ${words[change]}`];
  });
  return parts.join(", ") || "nothing declared";
}

async function printDiffs(io: Io, changes: readonly Change[], tense: Tense): Promise<void> {
  await loadYaml();
  for (const change of changes) io.out(coloured(io, diffOf(change, tense)));
}

function diffOf(change: Change, tense: Tense): string {
  const { kind, before, after, file } = change;
  const title = titleOf(change);
  if (before === null && after === null) {
    const belongs = tense === "done" ? "now belongs" : "would belong";
    return `${title} ${belongs} to the set; its content stays.\n`;
  }
  const textOf = (form: object | null) => (form === null ? "" : toYaml({ kind, ...form }));
  const from = before === null ? "/dev/null" : `stored/${title}`;
  const to = after === null ? "/dev/null" : printableLine(file ?? title);
  return formatPatch(
    structuredPatch(from, to, textOf(before), textOf(after), undefined, undefined, { context: 3 }),
    { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  );
}

function titleOf({ kind, name }: Change): string {
  return `${kind}/${printableLine(name)}`;
}

function coloured({ colour }: Pick<Io, "colour">, diff: string): string {
  if (!colour) return diff;
  return diff.replace(/^.*$/gm, (line) => {
    if (line.startsWith("+++") || line.startsWith("---")) return styleText("bold", line);
    if (line.startsWith("@@")) return styleText("cyan", line);
    if (line.startsWith("+")) return styleText("green", line);
    return line.startsWith("-") ? styleText("red", line) : line;
  });
}

/** For a preview: prints on stderr if stdout is for programs, which expect only the result. */
export function asPreview(io: Io, options: OutputOptions): Io {
  return isForPeople(options) ? io : { ...io, out: io.note };
}
