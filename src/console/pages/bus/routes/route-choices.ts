// The routes of the bus as choices, by name.

import { usePage } from "../../../client/queries.ts";

type Choice = readonly [routeId: string, name: string];

/** `chosen` is among them even when it is deleted, or one too many. */
export function useRouteChoices(chosen?: string): readonly Choice[] {
  const query = usePage("bus-routes.list", { query: { pageSize: 200 } });
  const choices = (query.data?.data ?? []).map(({ id, name }): Choice => [id, name]);
  if (chosen === undefined || choices.some(([id]) => id === chosen)) return choices;
  return [...choices, [chosen, chosen]];
}
