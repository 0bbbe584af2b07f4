// The routes of the bus as choices, by name.

import { usePage } from "../../../client/queries.ts";

export function useRouteChoices(): (readonly [routeId: string, name: string])[] {
  const query = usePage("bus-routes.list", { query: { pageSize: 200 } });
  return (query.data?.data ?? []).map(({ id, name }) => [id, name]);
}
