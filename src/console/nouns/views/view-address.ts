// The URL of a list as a saved view shows it.

import type { Reply } from "../../client/call.ts";
import { listAddress } from "../addresses.ts";

export type View = Reply<"saved-views.list">[number];

/** The parameters of a list's URL that a view does not store. */
const places = ["page", "pageSize", "before", "tab", "row"];

export function viewAddress({ noun, query }: Pick<View, "noun" | "query">): string {
  const list = noun === "audit-events" ? "/audit" : listAddress(noun);
  const [path, own] = list.split("?");
  const params = new URLSearchParams(own);
  for (const [name, value] of Object.entries(query)) params.set(name, value);
  return params.size > 0 ? `${path}?${params}` : list;
}

/** Returns a path that leads to the address of the view. */
export function savedViewPath(id: string): string {
  return `${listAddress("saved-views")}/${id}`;
}

export function isViewOf(params: URLSearchParams, { query }: Pick<View, "query">): boolean {
  const given = [...params].filter(([name, value]) => value !== "" && !places.includes(name));
  const wanted = Object.entries(query);
  return given.length === wanted.length && given.every(([name, value]) => query[name] === value);
}
