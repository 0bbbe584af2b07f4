import { z } from "zod";
import { type ViewRule, viewedLists } from "../domain/saved-views.ts";
import { mapOf } from "./contract/bounded.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  createdBy,
  deletedOf,
  idOf,
  idParam,
  oneLineName,
  pageQuery,
  searchQuery,
  someOf,
  sortQuery,
  timestamp,
} from "./contract/schemas.ts";
import { declaredIn } from "./shapes/declared-in.ts";
import { issuesOfQuery } from "./shapes/viewed-lists.ts";

const viewedList = named("ViewedList", z.enum(viewedLists));

const rule = {
  name: oneLineName,
  noun: viewedList.describe("The list that the view is for."),
  query: mapOf(z.string().min(1).max(100), z.string().max(2000), 50, "parameters")
    .default({})
    .describe(
      "The query parameters of the list: its filters, `sort`, and `columns`, with the names " +
        "of the columns separated by commas. In lists with `from` and `to`, these can also be " +
        "`today`, or a duration such as `24h`, which means 24 hours ago.",
    ),
};

const shared = z.boolean();

function ruleOf<T extends z.ZodRawShape>(more: T) {
  return z.object({ ...rule, ...more }).superRefine((body, context) => {
    const { noun, query } = body as unknown as Pick<ViewRule, "noun" | "query">;
    for (const { path, message } of issuesOfQuery(noun, query)) {
      context.addIssue({ code: "custom", path: path.split("."), message });
    }
  });
}

const sharing = shared
  .default(false)
  .describe("Whether everybody sees the view. Sharing a view requires the operator role.");

const newView = named("SavedViewInput", ruleOf({ shared: sharing }));
const changedView = named(
  "UpdateSavedViewRequest",
  ruleOf({
    shared: sharing,
    version: z.int().min(1).describe("The version of the view that this request replaces."),
  }),
);

const savedView = namedObject("SavedView", {
  id: idOf("vew"),
  name: z.string(),
  noun: viewedList.describe("The list that the view is for."),
  query: z.record(z.string(), z.string()).describe("The query parameters of the list."),
  shared: shared.describe("Whether everybody sees the view. If false, only its owner sees it."),
  createdBy,
  declared: z
    .string()
    .optional()
    .describe("The set of declarations that contains the view; the same as `declaredIn.set`."),
  declaredIn,
  version: z.int().describe("Increases with every change. Send it with an update."),
  createdAt: timestamp,
  updatedAt: timestamp.describe("When the view was last changed."),
});

const viewer = { access: "viewer" } as const;
const one = {
  params: z.object({ viewId: idParam.describe("The view's id.") }),
  errors: ["SAVED_VIEW_NOT_FOUND"],
} as const;

export const savedViews = defineRoutes({
  "saved-views.list": {
    ...viewer,
    method: "GET",
    path: "/api/admin/saved-views",
    summary: "List the shared views and your own, newest first",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["name", "noun", "updatedAt", "createdAt"]),
      noun: someOf(viewedList),
      shared: z
        .enum(["true", "false"])
        .optional()
        .describe("Only shared views (`true`), or only your own views (`false`)."),
      q: searchQuery,
    }),
    reply: z.array(savedView),
    paginated: true,
  },
  "saved-views.create": {
    ...viewer,
    method: "POST",
    path: "/api/admin/saved-views",
    summary: "Save a view of a list",
    body: newView,
    status: 201,
    idempotent: true,
    reply: savedView,
    errors: ["FORBIDDEN", "SAVED_VIEW_NAME_TAKEN"],
  },
  "saved-views.get": {
    ...viewer,
    ...one,
    method: "GET",
    path: "/api/admin/saved-views/:viewId",
    summary: "Get a saved view",
    reply: savedView,
  },
  "saved-views.update": {
    ...viewer,
    ...one,
    method: "PUT",
    path: "/api/admin/saved-views/:viewId",
    summary: "Replace a saved view if `version` is still its current version",
    body: changedView,
    reply: savedView,
    errors: ["FORBIDDEN", "SAVED_VIEW_NOT_FOUND", "SAVED_VIEW_NAME_TAKEN", "VERSION_CONFLICT"],
  },
  "saved-views.delete": {
    ...viewer,
    ...one,
    method: "DELETE",
    path: "/api/admin/saved-views/:viewId",
    summary: "Delete a saved view",
    reply: named("DeletedSavedView", deletedOf("vew")),
    errors: ["FORBIDDEN", "SAVED_VIEW_NOT_FOUND"],
  },
});

/** Declared views are for everybody. */
export const savedViewDeclaration = ruleOf({
  kind: z.literal("SavedView"),
  shared: z
    .literal(true, { error: "only shared views can be declared" })
    .default(true)
    .describe("Declared views are always shared."),
});
