// The list of routes, with buttons that change a route's state.

import { useMay } from "../../../client/session.ts";
import { ButtonLink } from "../../../components/buttons/button.tsx";
import { NounList } from "../../../nouns/noun-list.tsx";
import { texts } from "../../../texts/index.ts";
import { BusPage } from "../bus-page.tsx";
import type { Route } from "./route-draft.ts";
import { RouteStateButtons } from "./route-state.tsx";

const words = texts.busRoutes;

const cells = {
  type: ({ match }: Route) => <code>{match.type}</code>,
  source: ({ match }: Route) => match.source ?? words.anySource,
};

export function Component() {
  const create = useMay("operator") && (
    <ButtonLink kind="primary" to="/bus/routes/new">
      {words.create}
    </ButtonLink>
  );
  return (
    <NounList
      noun="bus-routes"
      frame={BusPage}
      cells={cells}
      acts={(route) => <RouteStateButtons route={route} />}
      create={create}
    />
  );
}
