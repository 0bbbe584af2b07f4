import type { NounTexts } from "../contract/noun.ts";
import type { savedViews as routes } from "../saved-views.ts";

export const savedViews = {
  group: "views",
  one: "saved view",
  title: "Views",
  summary: "Saved views: names for the filters, the order and the columns of lists",
  lead: "A view is a list with its filters, order and columns. Shared views are for everyone; the others are only for you.",
  name: "name",
  about: { cell: "viewAbout" },
  columns: [
    { name: "name", of: "name", kind: "key" },
    { name: "list", of: "noun" },
    { name: "query", of: { cell: "viewQuery" }, kind: "prose", label: "Filters" },
    { name: "for", of: { cell: "viewAudience" } },
    { name: "updated", of: "updatedAt", kind: "time" },
    { name: "id", of: "id", kind: "key", wide: true },
    { name: "by", of: "createdBy", wide: true, label: "Created by" },
    { name: "declared", of: { cell: "declaredIn" }, wide: true, label: "Declared in" },
    { name: "version", of: "version", kind: "number", wide: true },
    { name: "created", of: "createdAt", kind: "time", wide: true },
  ],
  facts: ["list", "for", "updated"],
  empty: "No views. Save one: platformctl views create NAME --list agents --set status=OFFLINE",
  emptyPage: "No view has been saved yet. Set the filters of a list, and save them as a view.",
  filters: {
    noun: { flag: "list", label: "List" },
    shared: { options: { true: "Shared", false: "Only yours" } },
    q: { hint: "Name" },
  },
  acts: {
    delete: {
      asks: "Delete the view {title}?",
      happens: ["The view disappears. Lists and their items do not change."],
      done: "{title} is deleted.",
      danger: true,
    },
  },
  examples: {
    list: ["views list --list services"],
    get: ["views get offline-agents -o yaml > view.yaml"],
  },
} as const satisfies NounTexts<typeof routes, "saved-views">;
