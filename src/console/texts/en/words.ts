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
  yourTime: "In your local time",
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
  unfinishedDate: "This date is incomplete. Fill in all parts, or clear the field.",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  previousPage: "Previous page",
  nextPage: "Next page",
  rowsPerPage: "Rows per page",
  sortBy: "Sort by",
  newestFirst: "Newest first",
  descending: (column: string) => `${column}, descending`,
  moreThan: (total: string) => `more than ${total}`,
  atLeast: (total: string) => `at least ${total}`,
  searchedTo: (time: string) => `Searched back to ${time}.`,
  nothingSince: (time: string) => `Nothing found back to ${time}.`,
  nothingOlder: "There is nothing older.",
  older: "Show older",
  newest: "Back to newest",
  rowsOf: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
};

export const time = {
  now: "now",
  never: "never",
  elapsed: "Elapsed time",
  elapsedOf: (elapsed: string, limit: string) => `${elapsed} of at most ${limit}`,
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
  selected: (many: string) => `${many} selected`,
  clear: "Clear the selection",
  /** `only`: how many of the selected rows permit it, if not all do. */
  act: (verb: string, only: string | null) => (only === null ? verb : `${verb} (${only})`),
  asks: (verb: string, many: string) => `${verb}: ${many} selected?`,
  type: (many: string) => `Type the number, ${many}, to confirm`,
  andMore: (titles: string, many: string) => `${titles} and ${many} more`,
  progress: (done: string, many: string) => `${done} of ${many} done`,
  done: (verb: string, many: string) => `${verb}: ${many} done.`,
  partly: (verb: string, done: string, many: string) => `${verb}: ${done} of ${many} done`,
};

/** Returns "1 event", "All 12 events" or "All events (more than 10,000)". */
export function allOf(total: string, one: string, many: string): string {
  if (total === "1") return `1 ${one}`;
  return /^\d/.test(total) ? `All ${total} ${many}` : `All ${many} (${total})`;
}

/** The audit trail on the page of its subject. */
export const auditTrail = {
  label: "Audit events",
  empty: "No audit events.",
  actionOn: (action: string, service: string) => `${action} on ${service}`,
  step: (from: string, to: string) => `from ${from} to ${to}`,
  all: (total: string) => `${allOf(total, "event", "events")} in the audit trail`,
};

export const recentCommands = {
  label: "Commands",
  empty: "No commands yet.",
  all: (total: string) => `All commands (${total})`,
};

export const secretFields = "The server has deleted the secrets of the payload. Enter them again:";

export const values = {
  nothing: "nothing",
  json: "JSON",
  kinds: { text: "Text", scalar: "Value", scalars: "List", table: "Table", object: "Fields" },
  view: (of: string) => `View of ${of}`,
  moreRows: (count: number) => `The JSON view has ${count} more rows.`,
};

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
