// The description of a noun beside its routes: how its lists look, what identifies an item, and what can be
// done with one. The command line and the console build lists, views and simple commands from it. It is plain
// data: `npm run generate` writes all of them to nouns.ts, so that a command starts without the schemas.

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
  /** The heading on a page, where it differs from the name: `Created by`. */
  label?: string;
  /** Where a row has the value. */
  of: Source;
  /** A key is for copying and is never truncated. Prose can take several lines. */
  kind?: "key" | "state" | "time" | "prose" | "number";
  /** Hidden by default in the terminal (shown by `-o wide`), on pages (column picker), or in both (`true`). */
  wide?: true | "terminal" | "page";
  /** Shown for a missing value. */
  none?: string;
  /** Pages link to this noun by the id in that field; without `id`, by `of`, and show the name. */
  link?: { to: string; id?: Extract<Source, string> };
  /** Labels for values on a page. */
  values?: Readonly<Record<string, string>>;
}

/** An operation on one item, through a route that takes only its id. */
export interface ActSpec<Field extends string = string> {
  /**
   * The confirmation question, if the operation cannot be undone or affects others. The text after the question
   * mark is a short form of `happens` for the command line. `{title}` is the item's name; `{agentCode}` and other
   * fields work likewise.
   */
  asks?: string;
  /** The server refuses it in this status, so the command line does not ask. */
  refusedWhen?: string;
  /** Shell completion offers only these. */
  completes?: "open-command";
  /** The question on a page, if the command line does not ask and `Disable {title}?` does not fit. */
  question?: string;
  /** The label of the button; by default the last word of the route's name. */
  verb?: string;
  /** The label of the button that does nothing, if "Cancel" would be ambiguous. */
  keep?: string;
  /** The consequences, which a page shows before; by status if they depend on it. */
  happens?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** The message on success, with fields of the item or of the response: `{title} is disabled.` */
  done?: string;
  /** Pages offer it only if each of these fields has one of these values. */
  when?: { readonly [F in Field]?: readonly string[] };
  /** It is destructive. */
  danger?: true;
  /** The user must type the item's name first. */
  typed?: true;
  /** It has no route of its own: it calls `update` with these fields and the version that the page shows. */
  sets?: { readonly [F in Field]?: string };
}

/** What pages and flags need beyond the schema of the query. */
export interface FilterSpec {
  /** The flag on the command line: `token` for `tokenState`. */
  flag?: string;
  label?: string;
  /** An example of input. */
  hint?: string;
  /** Suggested values; others are valid too. */
  suggests?: readonly string[];
  /** Values with labels, instead of the choices. The empty value sets no filter. */
  options?: Readonly<Record<string, string>>;
}

/** What the command line needs to know of a field of `create` beyond the schema of the body. */
export interface FieldSpec {
  /** `agent` for `agentCode`. */
  flag?: string;
  /** Replaces the description of the schema. */
  hint?: string;
  /** Completion offers the names of this noun. */
  completes?: string;
  /** Without the flag. */
  default?: string;
  /** The choices in a terminal that asks for one, with what they mean. */
  meanings?: Readonly<Record<string, string>>;
}

export interface CreateSpec {
  fields?: Readonly<Record<string, FieldSpec>>;
  /** Without an expiry: `never`. */
  expires?: string;
  /** A sentence after the secret that is shown once. */
  reminder?: string;
}

/** `<noun> wait`: waits until an item has a status. */
export interface WaitSpec {
  statuses: readonly string[];
  /** The status to wait for without `--for`. */
  default: string;
  /** Fields that change with every sign of life of the agent. */
  news: readonly string[];
  /** Statuses that last without further signs of life. */
  lasting: readonly string[];
}

export interface NounSpec<Row = never, Detail = Row, Source = SourceIn<Row>> {
  /** The group of its commands, if it is shorter than the noun: `tokens`. */
  group?: string;
  /** The singular, within a sentence: `registration token`. */
  one: string;
  /** The heading of its list, if it is not the noun: `API keys`. */
  title?: string;
  /** One line, for the list of groups. */
  summary: string;
  /** One or two sentences below the heading of its list; by default the summary. */
  lead?: string;
  /** The prefix of its ids: `agt`. */
  prefix: string;
  /** The field with a unique name. */
  code?: FieldOf<Row>;
  /** The field with a name that need not be unique. */
  name?: FieldOf<Row>;
  /** How codes are compared; exactly by default. */
  fold?: "username";
  /** If several have the same name, one in this status is selected. */
  live?: string;
  /** Shown beside code and name in completions and in lists of candidates. */
  about: Source;
  columns: readonly NounColumn<Source>[];
  /** Lines of an item that its list does not have. */
  details?: readonly NounColumn<SourceIn<Detail>>[];
  /** The column that links to the item, if it is neither code nor name. */
  opens?: FieldOf<Row>;
  /** Shown in a terminal if there are none. */
  empty: string;
  /** The same on a page. */
  emptyPage?: string;
  /** By field of the query. */
  filters?: Readonly<Record<string, FilterSpec>>;
  /** By the part of the route's name after the dot. */
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

/** Checks the fields of a noun against what its routes return. */
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
  /** `several`: any of the given values. `all`: repeatable, and all must match. `id`: of another noun. */
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

/** A description as `npm run generate` writes it. */
export interface Noun
  extends Omit<DefinedNoun, "routes" | "filters" | "group" | "acts" | "create"> {
  group: string;
  title: string;
  /** Part of the event bus. */
  bus?: true;
  /** The name of its id in paths: `agentId`. */
  param: string;
  /** The summaries of its routes, by the part of the name after the dot. */
  summaries: Readonly<Record<string, string>>;
  /** The least role for its routes, by the part of the name after the dot. */
  access: Readonly<Record<string, Role>>;
  filters: readonly NounFilter[];
  /** The list has a text search. */
  searches: boolean;
  /** The list is too long to count, and is paged with a cursor. */
  isLong: boolean;
  acts: Readonly<Record<string, ActSpec>>;
  /**
   * The body of `create`, if it is flat. `shownOnce` is the field of the response that is a secret. `idempotent`
   * routes accept an Idempotency-Key.
   */
  create?: Omit<CreateSpec, "fields"> & {
    fields: readonly NounField[];
    shownOnce?: string;
    idempotent?: true;
  };
}
