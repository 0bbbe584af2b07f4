import type { Amount } from "../amounts.ts";
import { count, plural } from "./amounts.ts";

export const words = {
  id: "Id",
  status: "Status",
  name: "Name",
  service: "Service",
  agent: "Agent",
  action: "Action",
  type: "Type",
  description: "Description",
  message: "Message",
  payload: "Payload",
  runtime: "Runtime",
  created: "Created",
  updated: "Updated",
  expires: "Expires",
  version: "Version",
  labels: "Labels",
  any: "Any",
  yes: "Yes",
  no: "No",
  cancel: "Cancel",
  stop: "Stop",
  close: "Close",
  save: "Save",
  create: "Create",
  edit: "Edit",
  change: "Actions",
  retry: "Try again",
  copy: "Copy",
  copyId: "Copy id",
  copied: "Copied",
  notCopied: "The browser does not let this page copy the text. Select and copy the text yourself.",
  from: "From",
  to: "To",
  columns: "Columns",
  clearFilters: "Clear filters",
  filters: (active: number) => (active === 0 ? "Filters" : `Filters (${active})`),
  more: "More about this row",
  loading: "Loading …",
  working: "Working …",
  nothingHere: "Nothing here yet.",
  nothingFound: "Nothing matches these filters.",
  requestId: (id: string) => `Request ${id}`,
  retryIn: (seconds: number) => `Try again in ${seconds} s.`,
  unreachable: "The server cannot be reached. Check that it is running and that the network works.",
  required: "required",
  missing: "Fill in this field.",
  unfinishedDate: "This date is incomplete. Fill in all parts, or clear the field.",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  previousPage: "Previous page",
  nextPage: "Next page",
  rowsPerPage: "Rows per page",
  sortBy: "Sort by",
  newestFirst: "Newest first",
  descending: (column: string) => `${column}, descending`,
  moreThan: (total: Amount) => `more than ${count(total)}`,
  atLeast: (total: Amount) => `at least ${count(total)}`,
  searchedTo: (time: string) => `Searched back to ${time}.`,
  nothingSince: (time: string) => `Nothing found back to ${time}.`,
  nothingOlder: "There is nothing older.",
  older: "Show older",
  newest: "Back to newest",
  rowsOf: (from: Amount, to: Amount, total: Amount) =>
    `${count(from)}–${count(to)} of ${count(total)}`,
  /** Between the parts of a text: `by anna, 2m ago: maintenance`. */
  comma: ", ",
  colon: ": ",
  /** What is added to the text before: ` (you)`. */
  aside: (text: string) => ` (${text})`,
};

export const time = {
  now: "now",
  never: "never",
  elapsed: "Elapsed time",
  elapsedOf: (elapsed: string, limit: string) => `${elapsed} of at most ${limit}`,
};

export const timeRange = {
  label: "Time",
  choices: {
    any: "Any time",
    "1h": "Last hour",
    today: "Today",
    "24h": "Last 24 hours",
    "7d": "Last 7 days",
    other: "From … to …",
  },
  zone: (zone: string) => `Time zone: ${zone}`,
};

export const expiries = {
  hour: "In 1 hour",
  day: "In 24 hours",
  week: "In 7 days",
  days30: "In 30 days",
  days90: "In 90 days",
  year: "In 1 year",
  never: "Never",
};

/** The rows of a list that were selected. */
export const selection = {
  all: "Select all rows of this page",
  one: (title: string) => `Select ${title}`,
  selected: (many: Amount) => `${count(many)} selected`,
  clear: "Clear the selection",
  /** `only`: how many of the selected rows permit it, if not all do. */
  act: (verb: string, only: Amount | null) => (only === null ? verb : `${verb} (${count(only)})`),
  asks: (verb: string, many: Amount) => `${verb}: ${count(many)} selected?`,
  type: (many: Amount) => `Type the number, ${count(many)}, to confirm`,
  andMore: (titles: string, many: Amount) => `${titles} and ${count(many)} more`,
  progress: (done: Amount, many: Amount) => `${count(done)} of ${count(many)} done`,
  done: (verb: string, many: Amount) => `${verb}: ${count(many)} done.`,
  partly: (verb: string, done: Amount, many: Amount) =>
    `${verb}: ${count(done)} of ${count(many)} done`,
};

/** The audit trail on the page of its subject. */
export const auditTrail = {
  label: "Audit events",
  empty: "No audit events.",
  actionOn: (action: string, service: string) => `${action} on ${service}`,
  step: (from: string, to: string) => `from ${from} to ${to}`,
  all: (total: Amount) =>
    plural(total, {
      one: "# event in the audit trail",
      other: "All # events in the audit trail",
      bound: "All events (#) in the audit trail",
    }),
};

export const recentCommands = {
  label: "Commands",
  empty: "No commands yet.",
  all: (total: Amount) => `All commands (${count(total)})`,
};

export const secretFields: string =
  "The server has deleted the secrets of the payload. Enter them again:";

export const values = {
  nothing: "nothing",
  json: "JSON",
  kinds: { text: "Text", scalar: "Value", scalars: "List", table: "Table", object: "Fields" },
  view: (of: string) => `View of ${of}`,
  moreRows: (many: Amount) =>
    plural(many, {
      one: "The JSON view has # more row.",
      other: "The JSON view has # more rows.",
    }),
};

/** Objects that files declare. */
export const declared = {
  by: (set: string, file: string | null) =>
    file === null ? `Managed by the set ${set}` : `Managed by ${file} (set ${set})`,
  note: (managedBy: string) => `${managedBy}. ${reverses}`,
  some: (many: Amount) => `${areManaged(many)} ${reverses}`,
  /** After a change was made. */
  done: (text: string) => `${text} ${reverses}`,
};

const reverses =
  "The next apply reverses changes made here. To keep them, change the file as well.";
const areManaged = (many: Amount) =>
  plural(many, {
    one: "# of them is managed by a file.",
    other: "# of them are managed by files.",
  });

/** Asked before unsaved changes are lost. */
export const leave = {
  title: "Leave without saving?",
  text: "If you leave, your changes are lost.",
  verb: "Leave",
};

/** Problems with JSON that would not be sent exactly as it is written. */
export const inexactJson = {
  number: (written: string) =>
    `${written} cannot be sent exactly: the largest whole number is 9007199254740991.`,
  twice: (name: string) => `“${name}” occurs twice in one object: only the last would be sent.`,
};
