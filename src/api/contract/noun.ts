// The description of a noun, which complements its routes: how its lists look, what identifies an
// item, and what can be done with an item. The command line and the console build lists, views and
// simple commands from it. Descriptions are plain data: `npm run generate` writes all of them to
// nouns.ts, so that a command need not load the schemas when it starts.

import type { Role } from "../../domain/principals.ts";
import type { CellFor, ValueSource } from "./cells.ts";
import type { ReplyData, RouteSpec } from "./route.ts";

/** A field of a row, or a field of an object in it: `user.username`. */
type FieldOf<Row> = {
  [K in keyof Row & string]: NonNullable<Row[K]> extends Record<string, unknown>
    ? K | `${K}.${keyof NonNullable<Row[K]> & string}`
    : K;
}[keyof Row & string];

type SourceIn<Row> = FieldOf<Row> | { cell: CellFor<Row> };

/** A column of a list, and a line in the view of one item. */
export interface NounColumn<Source = ValueSource> {
  /** The heading, and the name for `--columns`: `last seen`. */
  name: string;
  /** The heading on a page, if it differs from the name: `Created by`. */
  label?: string;
  /** Where the value is in a row. */
  of: Source;
  /**
   * How to show the value. A key is for copying and is never truncated. Prose can fill several
   * lines.
   */
  kind?: "key" | "state" | "time" | "prose" | "number";
  /**
   * Where the column is hidden by default: in the terminal (`-o wide` shows it), on pages (the
   * column picker shows it), or in both (`true`).
   */
  wide?: true | "terminal" | "page";
  /** The text for a missing value. */
  none?: string;
  /**
   * Pages show the value as a link to an item of this noun. The item's id is in the field `id`, or
   * else in `of`.
   */
  link?: { to: string; id?: Extract<Source, string> };
  /** The labels of values on a page. */
  values?: Readonly<Record<string, string>>;
}

/** An operation on one item, through a route that takes only its id. */
export interface ActSpec<Field extends string = string> {
  /**
   * The confirmation question, if the operation cannot be undone or affects others. The text after
   * the question mark is a short form of `happens` for the command line. `{title}` becomes the
   * item's name, and `{agentCode}` the value of that field.
   */
  asks?: string;
  /** The status in which the server refuses the operation, so the command line does not ask. */
  refusedWhen?: string;
  /** Shell completion offers only items in these statuses. */
  completes?: "open-command";
  /**
   * The question on a page, if the command line asks none and the default (`Disable {title}?`) is
   * wrong.
   */
  question?: string;
  /** The label of the button; by default, the last word of the route's name. */
  verb?: string;
  /** The label of the button that does nothing, if "Cancel" would be ambiguous. */
  keep?: string;
  /**
   * The consequences, which a page shows with the question. By status if they depend on the status.
   */
  happens?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** The message on success, with fields of the item or of the response: `{title} is disabled.` */
  done?: string;
  /** Pages offer the operation only if each of these fields has one of its listed values. */
  when?: { readonly [F in Field]?: readonly string[] };
  /** Whether the operation is destructive. */
  danger?: true;
  /** Whether the user must first type the item's name. */
  typed?: true;
  /**
   * Set if the operation has no route of its own: it calls `update` with these fields and the
   * version that the page shows.
   */
  sets?: { readonly [F in Field]?: string };
}

/** What pages and flags need to know about a filter beyond the schema of the query. */
export interface FilterSpec {
  /** The flag on the command line, if it differs from the field: `token` for `tokenState`. */
  flag?: string;
  label?: string;
  /** An example of input. */
  hint?: string;
  /** Suggested values. Other values are valid, too. */
  suggests?: readonly string[];
  /** Values with labels, which replace the choices. The empty value sets no filter. */
  options?: Readonly<Record<string, string>>;
}

/** What the command line needs to know about a field of `create` beyond the schema of the body. */
export interface FieldSpec {
  /** The flag, if it differs from the field: `agent` for `agentCode`. */
  flag?: string;
  /** The description in the help, instead of the schema's. */
  hint?: string;
  /** The noun whose names completion offers. */
  completes?: string;
  /** The value if the flag is omitted. */
  default?: string;
  /** The choices with their meanings, for a question on a terminal. */
  meanings?: Readonly<Record<string, string>>;
}

export interface CreateSpec {
  fields?: Readonly<Record<string, FieldSpec>>;
  /** What applies if no expiry is given: `never`. */
  expires?: string;
  /** A sentence to print after the secret that is shown once. */
  reminder?: string;
}

/** The command `<noun> wait`, which waits until an item has a status. */
export interface WaitSpec {
  statuses: readonly string[];
  /** The status to wait for if `--for` is omitted. */
  default: string;
  /** Fields that change with every heartbeat or other call from the agent. */
  news: readonly string[];
  /** Statuses that need no further calls from the agent to last. */
  lasting: readonly string[];
}

export interface NounSpec<Row = never, Detail = Row, Source = SourceIn<Row>> {
  /** The group of its commands, if it is shorter than the noun: `tokens`. */
  group?: string;
  /** The singular, within a sentence: `registration token`. */
  one: string;
  /** The heading of its list, if it is not the noun: `API keys`. */
  title?: string;
  /** A one-line summary, for the list of groups. */
  summary: string;
  /** One or two sentences below the heading of its list; by default, the summary. */
  lead?: string;
  /** The prefix of its ids: `agt`. */
  prefix: string;
  /** The field with the item's unique name. */
  code?: FieldOf<Row>;
  /** The field with the item's name, if names need not be unique. */
  name?: FieldOf<Row>;
  /** How codes are compared. By default, letter case matters. */
  fold?: "username";
  /** If several items have the same name, the name means the one in this status. */
  live?: string;
  /** The field that completions and lists of candidates show beside code and name. */
  about: Source;
  columns: readonly NounColumn<Source>[];
  /** Lines in the view of one item that are not columns of the list. */
  details?: readonly NounColumn<SourceIn<Detail>>[];
  /** The column that links to the item, if that is neither the code nor the name. */
  opens?: FieldOf<Row>;
  /** The text for an empty list in a terminal. */
  empty: string;
  /** The text for an empty list on a page. */
  emptyPage?: string;
  /** The filters, by field of the query. */
  filters?: Readonly<Record<string, FilterSpec>>;
  /** The operations, by the part of the route's name after the dot. */
  acts?: Record<string, ActSpec<FieldOf<Row>>>;
  create?: CreateSpec;
  wait?: WaitSpec;
  /** Examples for the help, by command: `{ list: ["agents list -o name"] }`. */
  examples?: Record<string, readonly string[]>;
}

type Routes = Record<string, RouteSpec>;
type Reply<T extends Routes, Name> = Name extends keyof T ? ReplyData<T[Name]> : never;

export interface DefinedNoun
  extends Omit<NounSpec, "about" | "acts" | "columns" | "details" | "code" | "name" | "opens"> {
  noun: string;
  routes: Routes;
  code?: string;
  name?: string;
  opens?: string;
  acts?: Record<string, ActSpec>;
  about: ValueSource;
  columns: readonly NounColumn[];
  details?: readonly NounColumn[];
}

/** Returns the description of a noun. Its types check the fields against what the routes return. */
export function defineNoun<T extends Routes, N extends string>(
  noun: N,
  routes: T,
  spec: NounSpec<
    Reply<T, `${N}.list`> extends readonly (infer Row)[] ? Row : never,
    Reply<T, `${N}.get`>
  >,
): DefinedNoun {
  return { ...(spec as unknown as Omit<DefinedNoun, "noun" | "routes">), noun, routes };
}

/** A filter of a list, derived from the schema of its query. */
export interface NounFilter extends Omit<FilterSpec, "flag"> {
  /** The field of the query: `tokenState`. */
  name: string;
  /** The flag on the command line: `token`. */
  flag: string;
  /**
   * The kind of value. `several`: any of the given values matches. `all`: the flag can be repeated,
   * and all values must match. `id`: the id of another noun's item.
   */
  kind: "choice" | "several" | "all" | "text" | "search" | "time" | "id";
  choices?: readonly string[];
  /** The noun that an `id` belongs to. */
  of?: string;
  summary: string;
}

/** A field of the body of `create`, derived from its schema. */
export interface NounField extends FieldSpec {
  name: string;
  kind: "text" | "choice" | "flag" | "number" | "time";
  required?: true;
  choices?: readonly string[];
  maxLength?: number;
}

/** The description of a noun as `npm run generate` writes it. */
export interface Noun
  extends Omit<DefinedNoun, "routes" | "filters" | "group" | "acts" | "create"> {
  group: string;
  title: string;
  /** Whether the noun is part of the event bus. */
  bus?: true;
  /** The parameter for its id in paths: `agentId`. */
  param: string;
  /** The summaries of its routes, by the part of the name after the dot. */
  summaries: Readonly<Record<string, string>>;
  /** The lowest role that can call its routes, by the part of the name after the dot. */
  access: Readonly<Record<string, Role>>;
  filters: readonly NounFilter[];
  /** Whether the list has a text search. */
  searches: boolean;
  /** Whether the list is too long to count, and is therefore paged with a cursor. */
  isLong: boolean;
  acts: Readonly<Record<string, ActSpec>>;
  /**
   * The body of `create`, if it has no nested fields. `shownOnce` is the field of the response
   * that is a secret. `idempotent` routes accept an Idempotency-Key.
   */
  create?: Omit<CreateSpec, "fields"> & {
    fields: readonly NounField[];
    shownOnce?: string;
    idempotent?: true;
  };
}
