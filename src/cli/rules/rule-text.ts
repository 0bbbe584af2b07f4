// A rule as text for an editor: YAML below comments, which are not saved.

import { stringify } from "yaml";
import type { JsonObject } from "../../domain/payload/json.ts";
import type { Problem } from "../../lib/json/yaml-source.ts";
import type { RuleKind } from "./rule-kind.ts";

/** Starts a remark line. Remarks are replaced each time the editor is opened. */
const remark = "#! ";

export function textOf(
  kind: RuleKind,
  rule: object,
  title: string,
  remarks: string[] = [],
): string {
  return withRemarks(`${headOf(kind, title)}\n\n${stringify(rule)}`, remarks);
}

/** Returns the comments that come above the text in the editor. */
export function headOf({ one, explanation }: RuleKind, title: string): string {
  const how = `Leave the editor to save the ${one}; an empty file cancels. Comments are not kept.`;
  return commented([title, how, "", explanation].join("\n"));
}

export function withRemarks(text: string, remarks: string[]): string {
  const lines = text.split("\n").filter((line) => !line.startsWith(remark));
  const added = remarks.flatMap((each) => each.split("\n")).map((line) => `${remark}${line}\n`);
  return added.join("") + lines.join("\n");
}

/** Line numbers count the remark lines, too. */
export function problemComments(problems: Problem[], text: string): string[] {
  const removed = text.split("\n").filter((line) => line.startsWith(remark)).length;
  const title = "This could not be saved:";
  const shift = 1 + problems.length - removed;
  return [
    title,
    ...problems.map(({ line, message }) => {
      const where = line === undefined ? "" : `line ${line + shift}: `;
      return `  ${where}${message.replaceAll("\n", " ")}`;
    }),
  ];
}

/** Returns whether the text has only comments and blanks. */
export function isEmptyText(text: string): boolean {
  return text.split("\n").every((line) => /^\s*(#.*|---|\.\.\.)?\s*$/.test(line));
}

/** Returns a line for each field that differs: `state: DISABLED → ENABLED`. */
export function differences(before: JsonObject, after: JsonObject): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields]
    .filter((field) => shown(before[field]) !== shown(after[field]))
    .map((field) => `${field}: ${shown(before[field])} → ${shown(after[field])}`);
}

/** Returns `theirs` with the changes between `before` and `mine`. */
export function merged(before: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject {
  const fields = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const chosen = [...fields].map((field) => {
    const isMine = shown(mine[field]) !== shown(before[field]);
    return [field, isMine ? mine[field] : theirs[field]] as const;
  });
  return Object.fromEntries(chosen.filter(([, value]) => value !== undefined)) as JsonObject;
}

function commented(text: string): string {
  return text.replace(/^(.*)$/gm, (line) => `# ${line}`.trimEnd());
}

function shown(value: unknown): string {
  if (value === undefined) return "(none)";
  return typeof value === "string" ? value : JSON.stringify(value);
}
