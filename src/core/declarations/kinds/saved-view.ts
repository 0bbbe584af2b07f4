import { maxSharedViews } from "../../../domain/limits.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { SavedView, ViewRule } from "../../../domain/saved-views.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import { listSharedViews, savedViewRows } from "../../../store/tables/saved-views.ts";
import {
  createSavedViewIn,
  deleteSavedViewIn,
  updateSavedViewIn,
} from "../../views/saved-views.ts";
import { type DocumentOf, type Kind, type StoredRow, storedOf } from "../kind.ts";

type StoredView = StoredRow & { view: SavedView };

export const savedViewKind: Kind<DocumentOf<"SavedView">, StoredView> = {
  owned: true,
  most: maxSharedViews,
  nameOf: ({ name }) => name,
  async list(_, db) {
    const views = await listSharedViews(db);
    return views.map((view) => ({ ...storedOf(view), view }));
  },
  async compare(_, document, item) {
    const before = item && formOf(item.view);
    const after = formOf(document);
    return { before, after, isSame: jsonEqual(before, after) };
  },
  formOf: async (_, { view }) => formOf(view),
  async create(ctx, tx, document, { origin }) {
    const { id } = await createSavedViewIn(ctx, tx, ruleOf(document), origin);
    return id;
  },
  update: (ctx, tx, { view }, document, { origin }) =>
    updateSavedViewIn(ctx, tx, view, ruleOf(document), origin),
  noteFile: (tx, { id }, _, { file }) => savedViewRows.setFile(tx, id, file),
  delete: (ctx, tx, { view }, { origin }) => deleteSavedViewIn(ctx, tx, view, origin),
};

function ruleOf({ name, noun, query, shared }: ViewRule): ViewRule {
  return { name, noun, query, shared };
}

function formOf(rule: ViewRule): JsonObject {
  return { ...ruleOf(rule) };
}
