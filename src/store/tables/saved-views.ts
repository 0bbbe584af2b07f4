import type { SavedView, ViewedList } from "../../domain/saved-views.ts";
import { fromJsonColumn } from "../columns.ts";
import type { Reader } from "../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../filters.ts";
import { countOf, declaredRows, finder, pageOf } from "../rows.ts";

interface SavedViewRow {
  id: string;
  name: string;
  noun: ViewedList;
  query: string;
  userId: string | null;
  createdBy: string | null;
  declared: string | null;
  declaredFile: string | null;
  version: number;
  createdAt: number;
  updatedAt: number;
}

const columns = `id, name, noun, query, user_id AS "userId", created_by AS "createdBy", declared, declared_file AS "declaredFile",
  version, created_at AS "createdAt", updated_at AS "updatedAt"`;

interface SavedViewFilter extends Page {
  /** The user whose own views are listed in addition to the shared ones. */
  userId: string | null;
  noun?: readonly ViewedList[] | undefined;
  shared?: boolean | undefined;
  q?: string | undefined;
}

export const findSavedView = finder(`SELECT ${columns} FROM saved_views WHERE id = ?`, toView);

export async function listSavedViews(
  db: Reader,
  filter: SavedViewFilter,
): Promise<Listed<SavedView>> {
  const { userId, shared } = filter;
  const filters = new Filters()
    .anyOf([["user_id IS NULL"], ...(userId === null ? [] : [["user_id = ?", userId] as const])])
    .oneOf("noun", filter.noun)
    .search(["name"], filter.q);
  if (shared !== undefined) filters.always(shared ? "user_id IS NULL" : "user_id IS NOT NULL");
  return pageOf(db, [columns, "saved_views", "id"], filters, filter, toView, sorts);
}

const sorts: Sorts = { name: "name", noun: "noun", updatedAt: "updated_at", createdAt: "id" };

/** `userId` is null for shared views. */
export async function findSavedViewByName(
  db: Reader,
  userId: string | null,
  name: string,
): Promise<SavedView | null> {
  const row = await db.get<SavedViewRow>(
    `SELECT ${columns} FROM saved_views WHERE COALESCE(user_id, '') = ? AND name = ?`,
    userId ?? "",
    name,
  );
  return row ? toView(row) : null;
}

/** The oldest views come first. */
export async function listSharedViews(db: Reader): Promise<SavedView[]> {
  const rows = await db.all<SavedViewRow>(
    `SELECT ${columns} FROM saved_views WHERE user_id IS NULL ORDER BY id`,
  );
  return rows.map(toView);
}

/** Counts the user's own views or, for null, the shared ones. */
export function countSavedViewsOf(db: Reader, userId: string | null): Promise<number> {
  const filters =
    userId === null
      ? new Filters().always("user_id IS NULL")
      : new Filters().always("user_id = ?", userId);
  return countOf(db, "saved_views", filters);
}

export const savedViewRows = declaredRows(
  "saved_views",
  ["name noun query user_id declared declared_file version updated_at"],
  "created_by created_at id",
  toRow,
);

function toRow(view: SavedView): SavedViewRow {
  return { ...view, query: JSON.stringify(view.query) };
}

function toView({ query, ...row }: SavedViewRow): SavedView {
  return { ...row, query: fromJsonColumn(query), shared: row.userId === null };
}
