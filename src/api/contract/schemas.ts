// Schemas that several nouns share: ids, times, pages, JSON values.

import { z } from "zod";
import { codePattern } from "../../domain/agents.ts";
import { maxRowsCounted, pageSize } from "../../domain/limits.ts";
import type { Json } from "../../domain/payload/json.ts";
import { dangerLevels } from "../../domain/services.ts";
import { parseWholeNumber } from "../../lib/whole-number.ts";
import { opaqueObject } from "./bounded.ts";
import { named, namedObject, namedParameter } from "./schema-names.ts";

/** ISO 8601 UTC with milliseconds. */
export const timestamp = named(
  "Timestamp",
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .meta({ format: "date-time", example: "2026-01-02T03:04:05.678Z" }),
);

/** The nouns whose ids have an abbreviated prefix; others have the noun itself: `note_…` for "note". */
const abbreviated: Record<string, string> = {
  agt: "Agent",
  svc: "Service",
  cmd: "Command",
  rtk: "RegistrationToken",
  atk: "AgentToken",
  key: "ApiKey",
  usr: "User",
  ses: "Session",
  aud: "AuditEvent",
  brt: "BusRoute",
  bev: "BusEvent",
};

const ids = new Map<string, z.ZodString>();

/** `<prefix>_<ULID>` */
export function idOf(prefix: string): z.ZodString {
  const noun = abbreviated[prefix] ?? prefix.charAt(0).toUpperCase() + prefix.slice(1);
  const id = ids.get(prefix) ?? named(`${noun}Id`, newIdOf(prefix));
  ids.set(prefix, id);
  return id;
}

const newIdOf = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`))
    .meta({ example: `${prefix}_01K00000000000000000000000` });

/** What is answered to a deletion. */
export const deletedOf = (prefix: string) =>
  z.object({ id: idOf(prefix), deleted: z.literal(true) });

/** Where there is nothing to say, in a body or in an answer. */
export const empty = namedObject("Empty", {});

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
  page: namedParameter("Page", wholeNumberQuery(1, 1_000_000, 1)),
  pageSize: namedParameter("PageSize", wholeNumberQuery(1, pageSize.max, pageSize.default)),
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

const before = namedParameter(
  "Before",
  cursor.optional().meta({
    description: "Only what comes behind this place: `pagination.next` of the answer before.",
  }),
);

/** The query of a list that is too long to be counted: `page` reaches back so far, `before` as far as one likes. */
export function longListQuery<T extends z.ZodRawShape>(filters: T) {
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
export const searchQuery = namedParameter(
  "Search",
  z.string().min(1).max(200).optional().meta({ description: "With this text in code or name." }),
);

/** One of a few words in a query, or several: repeated, or with commas between. */
export function someOf<W extends string>(words: z.ZodType<W>) {
  return textList(z.array(words).min(1), (text) => text.split(",")).optional();
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

/** The query of what creates a command that an agent runs. */
export const queueQuery = z.object({
  queue: namedParameter(
    "Queue",
    flagQuery.meta({
      description: "Create the command although the agent is offline; it waits until it expires.",
    }),
  ),
});

/** A moment: any ISO 8601 form with an offset; Unix milliseconds inside. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** The fields of a query for what happened in a span of time. */
export const timeSpanQuery = {
  from: namedParameter(
    "From",
    moment.optional().meta({ description: "The start of the time range (inclusive)." }),
  ),
  to: namedParameter(
    "To",
    moment.optional().meta({ description: "The end of the time range (exclusive)." }),
  ),
};

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

export const dangerLevel = named("DangerLevel", z.enum(dangerLevels));
export const role = named("Role", z.enum(["owner", "operator", "viewer"]));
