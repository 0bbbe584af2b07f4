// The API's nouns from `src/api`, with their texts in the console's language.

import type { ActSpec, Noun, NounColumn, NounFilter } from "../../api/contract/noun.ts";
import { nouns as described, type NounName } from "../../api/contract/nouns.ts";
import { capitalized } from "../../lib/capitalized.ts";
import { shortId } from "../format/ids.ts";
import { nounTexts, texts } from "../texts/index.ts";
import { withTexts } from "./with-texts.ts";

export type { NounName } from "../../api/contract/nouns.ts";

/** An object of a noun, as its routes return it. */
export interface Row {
  id: string;
  [field: string]: unknown;
}

export const nouns: Readonly<Record<NounName, Noun>> = withTexts(described, nounTexts);

export function findNoun(name: string): Noun | undefined {
  return Object.hasOwn(nouns, name) ? nouns[name as NounName] : undefined;
}

/** Returns the title of a list with views, even if the console does not know the list. */
export function titleOfList(noun: string): string {
  if (noun === "audit-events") return texts.audit.title;
  return findNoun(noun)?.title ?? capitalized(noun.replaceAll("-", " "));
}

export function nounNamed(name: string): Noun {
  const noun = findNoun(name);
  if (!noun) throw new Error(`there is no noun ${name}`);
  return noun;
}

export function isNamed({ code, name }: Noun): boolean {
  return (code ?? name) !== undefined;
}

/** Returns the object's code or name, otherwise what it does, otherwise its short id. */
export function titleOf({ noun, code, name }: Noun, row: Row): string {
  const field = code ?? name;
  const title = field ? row[field] : null;
  return typeof title === "string" && title !== "" ? title : unnamedTitle(noun, row);
}

function unnamedTitle(noun: string, { id, action, total, serviceCode }: Row): string {
  if (noun === "rollouts" && typeof action === "string" && typeof total === "number") {
    return texts.rollouts.title({ action, total });
  }
  if (noun === "commands" && typeof action === "string" && typeof serviceCode === "string") {
    return texts.auditTrail.actionOn({ action, service: serviceCode });
  }
  return shortId(id);
}

/** Replaces `{title}` and `{field}` with the title and the fields of the row. */
export function filled(text: string, noun: Noun, row: Row): string {
  return text.replace(/\{(\w+)\}/g, (_, field: string) =>
    field === "title" ? titleOf(noun, row) : String(row[field]),
  );
}

export function headingOf({ name, label }: NounColumn): string {
  return label ?? capitalized(name);
}

export function labelOf({ flag, label }: NounFilter): string {
  return label ?? capitalized(flag);
}

export function verbOf(word: string, { verb }: ActSpec): string {
  return verb ?? capitalized(word.replaceAll("-", " "));
}
