// Reads the data that a page shows first, while the page's file is still loading.

import type { Noun } from "../../api/contract/noun.ts";
import { oneQuery, pageQuery, queryClient } from "../client/queries.ts";
import { defaultPageSize } from "../lists/list-state.ts";

/** The parameters of a page's path. */
type Params = Readonly<Record<string, string | undefined>>;

export function readOverview(): void {
  void queryClient.prefetchQuery(oneQuery("attention.get", {}));
  void queryClient.prefetchQuery(oneQuery("overview.get", {}));
  void queryClient.prefetchQuery(oneQuery("overview.health-map", {}));
}

/** Reads the first page of a list without filters, as `NounList` does. */
export function readList({ noun, pageSort: sort }: Noun): (params: Params, search: string) => void {
  return (_, search) => {
    if (search !== "") return;
    const query = { page: 1, pageSize: defaultPageSize, sort };
    void queryClient.prefetchQuery(pageQuery(`${noun}.list` as "agents.list", { query } as never));
  };
}

/** The id has the same name in the page's path as in the route. */
export function readOne({ noun, param }: Noun): (params: Params) => void {
  return (params) => {
    const input = { params: { [param]: params[param] ?? "" } };
    void queryClient.prefetchQuery(oneQuery(`${noun}.get` as "agents.get", input as never));
  };
}
