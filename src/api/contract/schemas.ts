// Schemas that several nouns share: ids, times, pages, JSON values.

import { z } from "zod";
import { codePattern } from "../../domain/agents.ts";
import { maxRowsCounted, pageSize } from "../../domain/limits.ts";
import type { Json } from "../../domain/payload/json.ts";
import { parseWholeNumber } from "../../lib/whole-number.ts";
import { opaqueObject } from "./bounded.ts";

/** ISO 8601 UTC with milliseconds. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: "date-time", example: "2026-01-02T03:04:05.678Z" });

/** `<prefix>_<ULID>` */
export const idOf = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`))
    .meta({ example: `${prefix}_01K00000000000000000000000` });

/** An id in a path: any text, so that a wrong one is "not found", not "not valid". */
export const idParam = z.string().min(1).max(200);

/** A path that may carry the agent's id, which must then be the token's own. */
export const ownAgentParam = z.object({ agentId: idParam.optional() });

export const code = z.string().regex(codePattern, {
  error: "must begin with a letter or digit and hold only letters, digits and . _ : -",
});

/** Any JSON value. It comes from a JSON parser, so there is nothing left to check. */
export const json = z.unknown() as unknown as z.ZodType<Json, Json>;
export const jsonObject = opaqueObject(json);

export const count = z.int().min(0);
/** Null where there was nothing to measure. */
export const milliseconds = z.int().min(0).nullable();

/** Every status has its field, also when there is none of it. */
export function countsOf<S extends string>(statuses: readonly S[]) {
  const fields = statuses.map((status) => [status, count]);
  return z.object(Object.fromEntries(fields) as Record<S, typeof count>);
}

/** A whole number in a query, in decimal digits; a number when the caller is in this process. */
export const wholeNumberQuery = (min: number, max: number, byDefault: number) =>
  // The default is said twice: inside for the OpenAPI document.
  decimal(wholeNumber(min, max).meta({ default: byDefault })).default(byDefault);

/** The same where there is no default. */
export const optionalWholeNumberQuery = (min: number, max: number) =>
  decimal(wholeNumber(min, max)).optional();

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

function decimal<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value) => (typeof value === "string" ? (parseWholeNumber(value) ?? value) : value),
    schema,
  );
}

/** One of a few whole numbers in a query. */
export function choiceOfNumbers<N extends number>(choices: readonly N[], byDefault: NoInfer<N>) {
  const error = `must be one of ${choices.join(", ")}`;
  return decimal(z.literal(choices, { error }).meta({ default: byDefault })).default(byDefault);
}

/** The fields of a list's query: `page` from 1, `pageSize` 1 to 200. */
export const pageQuery = {
  page: wholeNumberQuery(1, 1_000_000, 1),
  pageSize: wholeNumberQuery(1, pageSize.max, pageSize.default),
};

/** Where a page of a long list ended: a time and a key. */
const cursor = z
  .string()
  .regex(/^\d{1,16}\.[0-9A-Za-z_]{1,64}$/, {
    error: "must be the `next` of an answer's pagination",
  })
  .transform((text) => {
    const [at = "", key = ""] = text.split(".");
    return { at: Number(at), key };
  });

/** The query of a list that is too long to be counted: `page` reaches back so far, `before` as far as one likes. */
export function longListQuery<T extends z.ZodRawShape>(filters: T) {
  const before = cursor.optional().meta({
    description: "Only what comes behind this place: `pagination.next` of the answer before.",
  });
  return z.object({ ...pageQuery, before, ...filters }).refine(reachesBack, {
    error:
      `pages reach back ${maxRowsCounted} rows: narrow the filters, or go on with ` +
      "before=<pagination.next> of the last page",
    path: ["page"],
  });
}

function reachesBack(query: { page?: unknown; pageSize?: unknown }): boolean {
  return (Number(query.page) - 1) * Number(query.pageSize) < maxRowsCounted;
}

/** Text to look for in code and name, literally. */
export const searchQuery = z.string().min(1).max(200).optional().meta({
  description: "With this text in code or name.",
});

/** One of a few words in a query, or several: repeated, or with commas between. */
export function someOf<W extends string>(words: readonly [W, ...W[]] | readonly W[]) {
  const list = z.array(z.enum(words as readonly [W, ...W[]])).min(1);
  return textList(list, (text) => text.split(",")).optional();
}

const labelPattern = /^[^:,]+:/;

/**
 * `key:value` in a query, or several: repeated, or with commas between. A comma within a value is one where
 * no `key:` follows.
 */
export const labelsQuery = textList(
  z
    .array(z.string().regex(labelPattern, { error: "must be key:value" }))
    .min(1)
    .max(20),
  (text) => text.split(/,(?=[^:,]*:)/),
).optional();

/** What is given twice counts once: no list is longer than there are values. */
function textList<T extends string>(list: z.ZodType<T[]>, split: (text: string) => string[]) {
  const taken = z.preprocess((given) => {
    const all = [given].flat().flatMap((one) => (typeof one === "string" ? split(one) : [one]));
    return [...new Set(all)];
  }, list);
  // Any of these forms comes in; the schema of the list is what the OpenAPI document says.
  return taken as unknown as z.ZodType<T[], T | readonly T[]>;
}

/** `true` or `false` in a query. */
export const flagQuery = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
  .default(false);

/** A moment: any ISO 8601 form with an offset; Unix milliseconds inside. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** The same in a query, where it may be left out. */
export const timeQuery = moment.optional();

/** A body that also says when what it creates shall end: a moment, or seconds from now; or neither. */
export function withExpiry<T extends z.ZodRawShape>(shape: T) {
  const expiresAt = z.iso.datetime({ offset: true }).nullable().optional();
  const expiresInSeconds = z.int().min(0).max(3_153_600_000).optional();
  return z.object({ ...shape, expiresAt, expiresInSeconds }).refine((body) => !givesBoth(body), {
    error: "give expiresAt or expiresInSeconds, not both",
    path: ["expiresAt"],
  });
}

function givesBoth(body: { expiresAt?: unknown; expiresInSeconds?: unknown }): boolean {
  return body.expiresAt !== undefined && body.expiresInSeconds !== undefined;
}

export const role = z.enum(["owner", "operator", "viewer"]);
