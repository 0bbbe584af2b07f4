// Recognizes outputs that describe themselves as a table (`list`) or as facts (`detail`), with
// actions that follow. The agent is not trusted: parts of an unknown form are ignored, and output
// of another form is not structured. docs/reference/structured-results.md describes the forms.

import { cutText } from "../../lib/cut-text.ts";
import { actionNamePattern } from "../fleet/services.ts";
import { resultLimits as limits } from "../limits.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../payload/json.ts";

export const cellTypes = [
  "text",
  "code",
  "bytes",
  "duration",
  "number",
  "boolean",
  "time",
  "relativeTime",
  "status",
  "link",
] as const;
export type CellType = (typeof cellTypes)[number];

export interface ResultField {
  /** A key of the row, or a dotted path. */
  key: string;
  label: string;
  type: CellType;
  copyable: boolean;
}

/** An action that follows from a result. */
export interface NextAction {
  action: string;
  label: string;
  /** Texts such as `$row.id` are replaced by values of the row. */
  payload: JsonObject;
  danger: boolean;
}

export interface ResultList {
  title: string;
  /** Shown if there are no rows. */
  emptyText: string;
  columns: ResultField[];
  /** How many columns are not in `columns`, because there are too many. */
  otherColumns: number;
  rows: JsonObject[];
  rowActions: NextAction[];
  pageActions: NextAction[];
  /** How many rows to show at first. */
  pageSize: number;
  /** The number of rows in the whole list, of which this result can be one page. */
  total: number;
  /** The number of the first row in the whole list. */
  first: number;
}

export interface ResultDetail {
  title: string;
  fields: ResultField[];
  otherFields: number;
  data: JsonObject;
  actions: NextAction[];
}

export interface StructuredResult {
  list: ResultList | null;
  detail: ResultDetail | null;
  /** The other fields of the output. */
  rest: JsonObject;
}

/** Returns null if the output has no structured part. */
export function structuredResult(output: Json | undefined): StructuredResult | null {
  if (!isJsonObject(output)) return null;
  const found = partsOf(output);
  if (found !== null) return found;
  // Some agents return the message and the content of a result together.
  const { success, data, ...rest } = output;
  if (typeof success !== "boolean" || !isJsonObject(data)) return null;
  const inside = partsOf(data);
  if (inside === null) return null;
  const more = Object.keys(inside.rest).length > 0 ? { data: inside.rest } : {};
  return { ...inside, rest: { ...rest, ...more } };
}

function partsOf(content: JsonObject): StructuredResult | null {
  const list = readList(ownValue(content, "list"));
  const detail = readDetail(ownValue(content, "detail"));
  if (list === null && detail === null) return null;
  const rest = { ...content };
  if (list !== null) delete rest.list;
  if (detail !== null) delete rest.detail;
  return { list, detail, rest };
}

function readList(list: Json | undefined): ResultList | null {
  if (!isJsonObject(list)) return null;
  const rows = ownValue(list, "rows") ?? ownValue(list, "data");
  if (!Array.isArray(rows) || !rows.every(isJsonObject)) return null;
  const columns = readFields(ownValue(list, "columns"), rows);
  if (columns === null || (columns.length === 0 && rows.length > 0)) return null;
  const size = countOf(list, "pageSize");
  const page = countOf(list, "page") ?? 1;
  const first = (page - 1) * (size ?? rows.length) + 1;
  return {
    title: textOf(list, "title"),
    emptyText: textOf(list, "emptyText"),
    columns: columns.slice(0, limits.fields),
    otherColumns: Math.max(0, columns.length - limits.fields),
    rows,
    rowActions: readActions(ownValue(list, "rowActions")),
    pageActions: readActions(ownValue(list, "pageActions")),
    pageSize: Math.min(size ?? limits.rows, limits.rows),
    total: Math.max(countOf(list, "total") ?? 0, rows.length === 0 ? 0 : first - 1 + rows.length),
    first,
  };
}

/** Also reads the detail of a service's current state. */
export function readDetail(detail: Json | undefined): ResultDetail | null {
  if (!isJsonObject(detail)) return null;
  const data = ownValue(detail, "data");
  if (!isJsonObject(data)) return null;
  const fields = readFields(ownValue(detail, "fields"), [data]);
  if (fields === null) return null;
  return {
    title: textOf(detail, "title"),
    fields: fields.slice(0, limits.fields),
    otherFields: Math.max(0, fields.length - limits.fields),
    data,
    actions: readActions(ownValue(detail, "actions")),
  };
}

/** Returns one field per key; null if one of the given fields has no usable key. */
function readFields(given: Json | undefined, rows: readonly JsonObject[]): ResultField[] | null {
  if (given === undefined || given === null) return fieldsFromRows(rows);
  if (!Array.isArray(given)) return null;
  if (given.length === 0) return fieldsFromRows(rows);
  const fields = new Map<string, ResultField>();
  for (const field of given) {
    const key = isJsonObject(field) ? ownValue(field, "key") : undefined;
    const isUsable = typeof key === "string" && key !== "" && key.length <= limits.labelLength;
    if (!isUsable || !isJsonObject(field)) return null;
    if (!fields.has(key)) fields.set(key, fieldOf(field, key));
  }
  return [...fields.values()];
}

function fieldOf(field: JsonObject, key: string): ResultField {
  const type = ownValue(field, "type") ?? ownValue(field, "format");
  return {
    key,
    label: textOf(field, "label") || key,
    type: type === "datetime" ? "time" : (cellTypes.find((known) => known === type) ?? "text"),
    copyable: ownValue(field, "copyable") === true,
  };
}

function fieldsFromRows(rows: readonly JsonObject[]): ResultField[] {
  const keys = new Set(rows.slice(0, limits.rows).flatMap((row) => Object.keys(row)));
  return [...keys].map((key) => {
    const label = cutText(key, limits.labelLength) || '""';
    return { key, label, type: "text", copyable: false };
  });
}

function readActions(given: Json | undefined): NextAction[] {
  if (!Array.isArray(given)) return [];
  return given.slice(0, limits.actions).flatMap((one) => {
    const action = isJsonObject(one) ? ownValue(one, "action") : undefined;
    if (!isJsonObject(one) || typeof action !== "string" || !actionNamePattern.test(action)) {
      return [];
    }
    const payload = ownValue(one, "payload");
    return [
      {
        action,
        label: textOf(one, "label") || action,
        payload: isJsonObject(payload) ? payload : {},
        danger: ownValue(one, "danger") === true,
      },
    ];
  });
}

function textOf(object: JsonObject, key: string): string {
  const text = ownValue(object, key);
  return typeof text === "string" ? cutText(text.trim(), limits.labelLength) : "";
}

/** Returns null unless the value is a positive whole number. */
function countOf(object: JsonObject, key: string): number | null {
  const count = ownValue(object, key);
  return typeof count === "number" && Number.isSafeInteger(count) && count > 0 ? count : null;
}
