// Texts of the search over everything, and of the keyboard shortcuts.

import type { Amount } from "../amounts.ts";
import { plural } from "./amounts.ts";

export const palette = {
  title: "Find anything",
  label: "A name, an id, a page, or an action with its service",
  hint: "restart web-3",
  results: "Results",
  searching: "Searching …",
  nothing: "Nothing found.",
  count: (many: Amount) => plural(many, { one: "# result", other: "# results" }),
  kinds: { page: "Page", action: "Action" },
  footer: "Choose with the arrow keys, and open with Enter.",
};

export const shortcuts = {
  title: "Keyboard shortcuts",
  off: "Single-key shortcuts are turned off.",
  change: "Turn them on or off in your account",
  next: "then",
  or: "or",
  groups: { all: "Everywhere", go: "Go to a page" },
  help: "Show these shortcuts",
  single: "Single-key shortcuts",
  singleHint:
    "The keys / and ?, and g followed by another key. Ctrl+K, or Cmd+K on a Mac, always works. This browser stores the choice.",
};
