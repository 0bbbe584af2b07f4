// Saved views: names for the filters, the order and the columns of a list.

import type { Declared } from "./declarations.ts";

/** The lists that can have saved views. */
export const viewedLists = [
  "agents",
  "api-keys",
  "approval-policies",
  "approvals",
  "audit-events",
  "bus-events",
  "bus-routes",
  "commands",
  "nodes",
  "registration-tokens",
  "rollouts",
  "schedules",
  "services",
  "users",
] as const;
export type ViewedList = (typeof viewedLists)[number];

/** The part of a view that users write. */
export interface ViewRule {
  name: string;
  noun: ViewedList;
  /** The parameters of the list: filters by name, `sort`, and `columns` separated by commas. */
  query: Record<string, string>;
  /** Whether everybody sees the view. */
  shared: boolean;
}

/** Times are Unix milliseconds. */
export interface SavedView extends ViewRule, Declared {
  id: string;
  /** The only user who sees the view; null if it is shared. */
  userId: string | null;
  createdBy: string | null;
  /** Increases with each change. Callers send the version that they have seen. */
  version: number;
  createdAt: number;
  updatedAt: number;
}
