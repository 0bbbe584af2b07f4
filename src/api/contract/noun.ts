// The command line and the console build lists, views and simple commands from the description of a
// noun: its texts in `api/nouns`, and the facts of its routes. Neither needs the schemas, which
// load slowly.

import type { Role } from "../../domain/access/principals.ts";
import type { CellFor, ValueSource } from "./cells.ts";
import type { ReplyData, RouteSpec } from "./route.ts";

/** A field of a row, or a field of an object in it: `user.username`. */
type FieldOf<Row> = {
  [K in keyof Row & string]: NonNullable<Row[K]> extends Record<string, unknown>
    ? K | `${K}.${keyof NonNullable<Row[K]> & string}`
    : K;
}[keyof Row & string];

type SourceIn<Row> = FieldOf<Row> | { cell: CellFor<Row> };

/** A column of a list, or a line in the view of one item. */
export interface NounColumn<Source = ValueSource> {
  /** The heading, and the name for `--columns`: `last seen`. */
  name: string;
  /** The heading on a page, if it differs from the name: `Created by`. */
  label?: string;
  of: Source;
  /**
   * A key is for copying and is never truncated. Prose can fill several lines. A cause says what is
   * wrong, so a narrow terminal leaves out other columns first.
   */
  kind?: "key" | "state" | "time" | "prose" | "cause" | "number";
  /** A narrow terminal leaves the column out before others. */
  minor?: true;
  /** The value is shown only if each of these fields has one of its listed values. */
  while?: Readonly<Partial<Record<"status" | "state", readonly string[]>>>;
  /**
   * Where the column is hidden unless `-o wide` or the column picker shows it; `true` means both.
   */
  wide?: true | "terminal" | "page";
  /** The text for a missing value. */
  none?: string;
  /**
   * Pages link the value to an item of the noun `to`. The field `id`, or else `of`, has the item's
   * id.
   */
  link?: { to: string; id?: Extract<Source, string> };
  /** The labels of the values on a page. */
  values?: Readonly<Record<string, string>>;
}

/** An operation on one item, through a route that takes only its id. */
export interface ActSpec<Field extends string = string> {
  /**
   * The confirmation question. Only the command line shows the text after the question mark.
   * `{title}` becomes the item's name, and `{agentCode}` the value of that field.
   */
  asks?: string;
  /** The command line does not ask in this status, because the server refuses the operation. */
  refusedWhen?: string;
  /** Shell completion offers only items in these statuses. */
  completes?: "open-command";
  /** The question on a page, if `asks` is absent and the default (`Disable {title}?`) is wrong. */
  question?: string;
  /** The label of the button; by default, the last word of the route's name. */
  verb?: string;
  /** The label of the button that does nothing, if "Cancel" would be ambiguous. */
  keep?: string;
  /** The consequences, which a page shows with the question; by status if they depend on it. */
  happens?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** The message on success, with fields of the item or of the response: `{title} is disabled.` */
  done?: string;
  /** Pages offer the operation only if each of these fields has one of its listed values. */
  when?: { readonly [F in Field]?: readonly string[] };
  /**
   * The act that reverses this one. Pages then perform this act immediately, without a question,
   * and offer the reversal in the message on success.
   */
  undo?: string;
  danger?: true;
  /** Whether the user must first type the item's name. */
  typed?: true;
  /**
   * If the operation has no route: the fields that the page sends to `update`, with the item's
   * version.
   */
  sets?: { readonly [F in Field]?: string };
}

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
  /** The value that shows all rows, if the list omits some of them without the filter. */
  all?: string;
}

/** The command line's additions to the schema of a field of `create`. */
interface FieldSpec {
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

interface CreateSpec {
  fields?: Readonly<Record<string, FieldSpec>>;
  /** The expiry if no flag sets one: `never`. */
  expires?: string;
  /** A sentence to print after the secret that is shown once. */
  reminder?: string;
}

/** The command `<noun> wait`, which waits until an item has a status. */
export interface WaitSpec {
  statuses: readonly string[];
  /** The status to wait for if `--for` is omitted. */
  default: string;
}

interface NounSpec<Row = never, Detail = Row, Source = SourceIn<Row>> {
  /** The group of its commands, if it is shorter than the noun: `tokens`. */
  group?: string;
  /** The singular, within a sentence: `registration token`. */
  one: string;
  /** The heading of its list, if the noun is not suitable: `API keys`. */
  title?: string;
  /** One line for the list of groups. */
  summary: string;
  /** One or two sentences below the heading of its list. */
  lead: string;
  /** The field with the item's unique name. */
  code?: FieldOf<Row>;
  /** The field with the item's name, if names need not be unique. */
  name?: FieldOf<Row>;
  /** How codes are compared. By default, letter case matters. */
  fold?: "username";
  /** If several items have the same name, the name means the one in this status or state. */
  live?: string;
  /** The field that completions and lists of candidates show beside code and name. */
  about: Source;
  columns: readonly NounColumn<Source>[];
  /** Lines in the view of one item that are not columns of the list. */
  details?: readonly NounColumn<SourceIn<Detail>>[];
  /** The column that links to the item, if that is neither the code nor the name. */
  opens?: FieldOf<Row>;
  /**
   * The columns that a narrow screen shows in the second line of a row; by default, the first three
   * besides the name and the status.
   */
  facts?: readonly string[];
  /** The text for an empty list on a terminal. */
  empty: string;
  emptyPage?: string;
  /** The order of its list on a page; by default, the newest items come first. */
  pageSort?: string;
  /** The keys are fields of the query. */
  filters?: Readonly<Record<string, FilterSpec>>;
  /** Each key is the part of the route's name after the dot. */
  acts?: Readonly<Record<string, ActSpec<FieldOf<Row>>>>;
  create?: CreateSpec;
  wait?: WaitSpec;
  /** Examples for the help, by command: `{ list: ["agents list -o name"] }`. */
  examples?: Readonly<Record<string, readonly string[]>>;
}

type Routes = Record<string, RouteSpec>;
type Reply<T extends Routes, Name> = Name extends keyof T ? ReplyData<T[Name]> : never;

/** The texts of a noun in `api/nouns`. They can name only fields that the noun's routes return. */
export type NounTexts<T extends Routes, N extends string> = NounSpec<
  Reply<T, `${N}.list`> extends readonly (infer Row)[] ? Row : never,
  Reply<T, `${N}.get`>
>;

/** The texts of any noun. */
export interface AnyNounTexts
  extends Omit<NounSpec, "about" | "acts" | "columns" | "details" | "code" | "name" | "opens"> {
  code?: string;
  name?: string;
  opens?: string;
  acts?: Readonly<Record<string, ActSpec>>;
  about: ValueSource;
  columns: readonly NounColumn[];
  details?: readonly NounColumn[];
}

export interface NounFilter extends Omit<FilterSpec, "flag"> {
  /** The field of the query: `tokenState`. */
  name: string;
  /** The flag on the command line: `token`. */
  flag: string;
  /** With `several`, one of the values must match; with `all`, every value of a repeated flag. */
  kind: "choice" | "several" | "all" | "text" | "search" | "selector" | "time" | "id";
  choices?: readonly string[];
  /** The noun that an `id` belongs to. */
  of?: string;
  summary: string;
}

export interface NounField extends FieldSpec {
  name: string;
  /** `map`: an object of texts. Its flag is repeatable. */
  kind: "text" | "choice" | "flag" | "number" | "time" | "map";
  required?: true;
  choices?: readonly string[];
  maxLength?: number;
}

/** The texts of a noun, combined with the facts of its routes. */
export interface Noun extends Omit<AnyNounTexts, "filters" | "group" | "acts" | "create"> {
  noun: string;
  group: string;
  title: string;
  /** The prefix of its ids: `agt`. */
  prefix: string;
  bus?: true;
  /** The name of its id in paths: `agentId`. */
  param: string;
  /** Each key is the part of the route's name after the dot. */
  summaries: Readonly<Record<string, string>>;
  /** The lowest role that can call each route. */
  access: Readonly<Record<string, Role>>;
  filters: readonly NounFilter[];
  searches: boolean;
  /** The fields that the list can be sorted by. */
  sorts: readonly string[];
  /** Whether the list is too long to count, and is therefore paged with a cursor. */
  isLong: boolean;
  acts: Readonly<Record<string, ActSpec>>;
  /** Absent if the body has nested fields. `shownOnce` is the response's field with the secret. */
  create?: Omit<CreateSpec, "fields"> & {
    fields: readonly NounField[];
    shownOnce?: string;
    idempotent?: true;
  };
}
