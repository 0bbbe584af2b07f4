import { counted } from "../../../lib/counted.ts";

/** Structured results of actions. */
export const results = {
  actions: "Actions",
  empty: "No rows.",
  redacted: "hidden",
  more: "Show more rows",
  rows: (count: number) => counted(count, "row"),
  part: (first: number, last: number, total: number) => `Rows ${first} to ${last} of ${total}`,
  row: (number: number) => `row ${number}`,
  tableOf: (title: string) => `Table: ${title}`,
  copy: (label: string) => `Copy ${label}`,
  otherColumns: (count: number) => `The JSON view has ${counted(count, "more column")}.`,
  otherFields: (count: number) => `The JSON view has ${counted(count, "more field")}.`,
  undeclared: (action: string) => `The service does not declare the action ${action}.`,
  filledFrom: "Some fields are filled in from the result of",
  gone: "The result that this action was offered by cannot be read any more, so its values are not filled in.",
};
