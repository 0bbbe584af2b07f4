import { z } from "zod";
import { codePattern } from "../../domain/fleet/agents.ts";
import { parseSelector, SelectorError } from "../../domain/fleet/selectors.ts";
import { dangerLevels } from "../../domain/fleet/services.ts";
import { maxLabels, maxRowsCounted, maxSelectorLength, pageSize } from "../../domain/limits.ts";
import { cursorPattern, readCursor } from "../../domain/list-cursor.ts";
import type { Json } from "../../domain/payload/json.ts";
import { capitalized } from "../../lib/capitalized.ts";
import { usernamePattern, usernameRule } from "../../lib/username-rule.ts";
import { parseWholeNumber } from "../../lib/whole-number.ts";
import { mapOf, opaqueObject } from "./bounded.ts";
import { orderOf } from "./plain-input.ts";
import { named, namedObject, namedParameter } from "./schema-names.ts";

export const timestamp = named(
  "Timestamp",
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .meta({ format: "date-time", example: "2026-01-02T03:04:05.678Z" }),
);

/** The nouns for abbreviated id prefixes. All other prefixes are the nouns themselves. */
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
  rol: "Rollout",
  sch: "Schedule",
  apr: "Approval",
  pln: "Plan",
  pol: "ApprovalPolicy",
  vew: "SavedView",
};

const ids = new Map<string, z.ZodString>();

/** The schema of an id: `<prefix>_<ULID>`. */
export function idOf(prefix: string): z.ZodString {
  const noun = abbreviated[prefix] ?? capitalized(prefix);
  const id = ids.get(prefix) ?? named(`${noun}Id`, newIdOf(prefix));
  ids.set(prefix, id);
  return id;
}

const newIdOf = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`))
    .meta({ example: `${prefix}_01K00000000000000000000000` });

export const deletedOf = (prefix: string) =>
  z.object({ id: idOf(prefix), deleted: z.literal(true) });

export const empty = namedObject("Empty", {});

/** An id in a path can be any text, so that a wrong id is "not found" instead of invalid. */
export const idParam = z.string().min(1).max(200);

/** Ids that operators can replace with a code (`core/codes-as-ids.ts`). */
export const codedIds = {
  // The routes for agents share this parameter, but accept only ids.
  agentId: idParam.describe("The agent's id. Operators can also give its code."),
  serviceId: idParam.describe("The service's id or code."),
  policyId: idParam.describe("The policy's id or name."),
  scheduleId: idParam.describe("The schedule's id or name."),
  userId: idParam.describe("The user's id or username."),
};

export const code = z.string().regex(codePattern, {
  error: "must start with a letter or digit and contain only letters, digits and . _ : -",
});

export const oneLineName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, { error: "must be one line, without control characters" });

export const username = z
  .string()
  .normalize("NFKC")
  .regex(usernamePattern, { error: usernameRule });

/** A field that `get` leaves out can also be sent as null. */
export function orAbsent<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Returns the arguments for `refine` that require exactly one of two fields. */
export function exactlyOne(...[one, other]: [string, string]) {
  const check = (body: Record<string, unknown>) =>
    (body[one] === undefined) !== (body[other] === undefined);
  const rule: [typeof check, { error: string; path: string[] }] = [
    check,
    { error: `set either ${one} or ${other}`, path: [one] },
  ];
  return rule;
}

/** The JSON parser has already checked the value. */
export const json = z.unknown() as unknown as z.ZodType<Json, Json>;
export const jsonObject = opaqueObject(json);

export const count = z.int().min(0);
/** Null if nothing was measured. */
export const milliseconds = z.int().min(0).nullable();

export function countsOf<S extends string>(statuses: readonly S[]) {
  const fields = statuses.map((status) => [status, count]);
  return z.object(Object.fromEntries(fields) as Record<S, typeof count>);
}

/** A whole number as decimal digits. Callers in the same process can pass a number. */
export const wholeNumberQuery = (min: number, max: number, byDefault: number) =>
  // The OpenAPI document shows only the inner default.
  decimal(wholeNumber(min, max).meta({ default: byDefault })).default(byDefault);

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

export function choiceOfNumbers<N extends number>(choices: readonly N[], byDefault: NoInfer<N>) {
  const error = `must be one of ${choices.join(", ")}`;
  return decimal(z.literal(choices, { error }).meta({ default: byDefault })).default(byDefault);
}

export const pageQuery = {
  page: namedParameter(
    "Page",
    wholeNumberQuery(1, 1_000_000, 1).describe("The number of the page. The first page is 1."),
  ),
  pageSize: namedParameter(
    "PageSize",
    wholeNumberQuery(1, pageSize.max, pageSize.default).describe(
      "The maximum number of items on a page.",
    ),
  ),
};

/** The position where a page of a long list ended: a time and a key. */
const cursor = z
  .string()
  .regex(cursorPattern, { error: "must be the `pagination.next` of a response" })
  .transform(readCursor);

const before = namedParameter(
  "Before",
  cursor
    .optional()
    .describe("The cursor of the next page, which is `pagination.next` of the previous response."),
);

/**
 * In a list that is too long to count, `page` reaches only the newest rows, but `before` reaches
 * all.
 */
export function longListQuery<T extends z.ZodRawShape>(filters: T) {
  return z.object({ ...pageQuery, before, ...filters }).refine(reachesBack, {
    error:
      `pages reach only the newest ${maxRowsCounted} rows: narrow the filters, or continue with ` +
      "before=<pagination.next> of the last page",
    path: ["page"],
  });
}

export const longListNote = "If the list is very long, `pagination.total` is a lower bound.";

function reachesBack(query: { page?: unknown; pageSize?: unknown }): boolean {
  return (Number(query.page) - 1) * Number(query.pageSize) < maxRowsCounted;
}

export const searchQuery = namedParameter(
  "Search",
  z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Only items whose name, code or username contains this text."),
);

/** Sorts a list by one of its fields; with `-` before the field, in descending order. */
export function sortQuery<F extends string>(fields: readonly F[]) {
  const words = fields.flatMap((field) => [field, `-${field}`] as const);
  return z
    .enum(words)
    .transform((word) => orderOf<F>(word))
    .optional()
    .describe(
      "The field to sort by, with `-` before it for descending order. By default, the newest " +
        "items come first.",
    );
}

/** The parameter can be repeated, or contain several values separated by commas. */
export function someOf<W extends string>(words: z.ZodType<W>) {
  const list = textList(z.array(words).min(1), (text) => text.split(",")).optional();
  return list.describe("One or more of these values, separated by commas.");
}

export const labels = mapOf(z.string().min(1).max(100), z.string().max(200), maxLabels, "labels");

export const selectorText = z
  .string()
  .max(maxSelectorLength)
  .superRefine((text, context) => {
    try {
      parseSelector(text);
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      context.addIssue(error.message);
    }
  });

export const selectorQuery = namedParameter(
  "Selector",
  selectorText
    .transform(parseSelector)
    .optional()
    .describe(
      "Only items whose labels match this selector, such as `region=eu,tier in (web,api),!canary`.",
    ),
);

const labelPattern = /^[^:,]+:/;

/** Like `someOf`, but a comma is part of a value unless a `key:` follows. */
export const labelsQuery = textList(
  z
    .array(z.string().regex(labelPattern, { error: "must be key:value" }))
    .min(1)
    .max(20),
  (text) => text.split(/,(?=[^:,]*:)/),
).optional();

/** Between one and `most` texts without commas. Like `someOf`, but required. */
export function textsOf(text: z.ZodType<string>, most: number) {
  return textList(z.array(text).min(1).max(most), (whole) => whole.split(","));
}

/** Drops duplicates, so that a list is never longer than the number of possible values. */
function textList<T extends string>(list: z.ZodType<T[]>, split: (text: string) => string[]) {
  const parsed = z.preprocess((input) => {
    const all = [input].flat().flatMap((one) => (typeof one === "string" ? split(one) : [one]));
    return [...new Set(all)];
  }, list);
  return parsed as unknown as z.ZodType<T[], T | readonly T[]>;
}

export const flagQuery = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
  .default(false);

export const queueQuery = z.object({
  queue: namedParameter(
    "Queue",
    flagQuery.describe(
      "Create the command even if the agent is offline. " +
        "The command then waits for the agent until the command expires.",
    ),
  ),
});

/** Converts an ISO 8601 time with an offset to Unix milliseconds. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const timeSpanQuery = {
  from: namedParameter(
    "From",
    moment.optional().describe("The start of the time range (inclusive)."),
  ),
  to: namedParameter("To", moment.optional().describe("The end of the time range (exclusive).")),
};

export function withExpiry<T extends z.ZodRawShape>(shape: T) {
  const expiresAt = z.iso
    .datetime({ offset: true })
    .nullable()
    .optional()
    .describe("The expiry time. Null means never.");
  const expiresInSeconds = z
    .int()
    .min(0)
    .max(3_153_600_000)
    .optional()
    .describe("The number of seconds until the expiry, instead of `expiresAt`. 0 means never.");
  return z
    .object({ ...shape, expiresAt, expiresInSeconds })
    .refine(
      (body: { expiresAt?: unknown; expiresInSeconds?: unknown }) =>
        body.expiresAt === undefined || body.expiresInSeconds === undefined,
      { error: "set expiresAt or expiresInSeconds, not both", path: ["expiresAt"] },
    );
}

export const dangerLevel = named(
  "DangerLevel",
  z
    .enum(dangerLevels)
    .describe(
      "LOW: the action is harmless. MEDIUM: it can disturb the service for a while. HIGH: it can do damage.",
    ),
);

/** The name of the creator, which is stored with an object. */
export const createdBy = z
  .string()
  .nullable()
  .describe("The name of the user or API key that created it, or of the caller with `--db`.");

export const role = named(
  "Role",
  z
    .enum(["owner", "operator", "viewer"])
    .describe(
      "A viewer can read, an operator can also run actions and manage agents, and an owner can do everything.",
    ),
);
