// A route as the text that a person edits: YAML below a head of comments, which are not saved.

import { stringify } from "yaml";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Problem } from "../../../lib/json/yaml-source.ts";

const explanation = `\
Leave the editor to save it; an empty file changes nothing. Lines with # are not kept.

  name, description  for people; the description may be left out
  state              DISABLED, DRY_RUN (matches are noted, nothing is run) or ENABLED
  match.type         the type of the events: exact, or order.* for all that begin with order.
  match.source       only those about this service; may be left out
  match.data         only those with these values in their data, such as  /level: error
                     JSON Pointers into the event's data; may be left out
  target             the service and the action that is run
  payload            each field's JSON Pointer into the event, such as  file: /data/file
                     or a constant:  lines: { const: 10 }
                     without it the payload is the whole event: { event: … }`;

/** What a new route begins with: what it must have, and as comments what it may. */
export function templateOf(state: string): string {
  return `${commented(`A new route.\n${explanation}`)}

name:
state: ${state}
match:
  type:
  # source: log-collector
  # data:
  #   /level: error
target:
  serviceCode:
  action:
# payload:
#   file: /data/file
#   lines: { const: 10 }
`;
}

/** Opens the lines that are told anew each time. */
const remark = "#! ";

/** The rule below its head. */
export function textOf(rule: object, title: string, remarks: string[] = []): string {
  return withRemarks(`${commented(`${title}\n${explanation}`)}\n\n${stringify(rule)}`, remarks);
}

/** The same text, with other remarks on top. */
export function withRemarks(text: string, remarks: string[]): string {
  const lines = text.split("\n").filter((line) => !line.startsWith(remark));
  const told = remarks.flatMap((each) => each.split("\n")).map((line) => `${remark}${line}\n`);
  return told.join("") + lines.join("\n");
}

/** Problems as remarks. Their lines are those of the text with the remarks, as it is opened again. */
export function remarksOf(problems: Problem[], text: string): string[] {
  const gone = text.split("\n").filter((line) => line.startsWith(remark)).length;
  const title = "This could not be saved:";
  const shift = 1 + problems.length - gone;
  return [
    title,
    ...problems.map(({ line, message }) => {
      const said = message.replaceAll("\n", " ");
      return line === undefined ? `  ${said}` : `  line ${line + shift}: ${said}`;
    }),
  ];
}

/** Nothing but comments and blanks. */
export function isEmptyText(text: string): boolean {
  return text.split("\n").every((line) => /^\s*(#.*|---|\.\.\.)?\s*$/.test(line));
}

/** The fields that differ, as a line each: `state: DISABLED → ENABLED`. */
export function differences(before: JsonObject, after: JsonObject): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields]
    .filter((field) => shown(before[field]) !== shown(after[field]))
    .map((field) => `${field}: ${shown(before[field])} → ${shown(after[field])}`);
}

/** What one has changed of `before`, laid over what it has become meanwhile. */
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
