import type { Amount } from "../amounts.ts";
import { count, plural } from "./amounts.ts";

/** Structured results of actions. */
export const results = {
  actions: "Actions",
  empty: "No rows.",
  redacted: "hidden",
  rows: (many: Amount) => plural(many, { one: "# row", other: "# rows" }),
  part: (first: Amount, last: Amount, total: Amount) =>
    `Rows ${count(first)} to ${count(last)} of ${count(total)}`,
  row: (number: number) => `row ${number}`,
  tableOf: (title: string) => `Table: ${title}`,
  copy: (label: string) => `Copy ${label}`,
  otherColumns: (many: Amount) =>
    plural(many, {
      one: "The JSON view has # more column.",
      other: "The JSON view has # more columns.",
    }),
  otherFields: (many: Amount) =>
    plural(many, {
      one: "The JSON view has # more field.",
      other: "The JSON view has # more fields.",
    }),
  undeclared: (action: string) => `The service does not declare the action ${action}.`,
  filledFrom: "Some fields are filled in from the result of {command}",
  gone: "The result that offered this action can no longer be read, so its values are not filled in.",
};
