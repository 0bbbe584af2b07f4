// The page of one route: to be changed by those who may, to be read, tested and replayed by all.

import { useParams } from "react-router";
import { useCall } from "../../../client/queries.ts";
import { useMay } from "../../../client/session.ts";
import { Loaded } from "../../../lists/loaded.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { BusPage } from "../bus-page.tsx";
import { draftOf } from "./route-draft.ts";
import { RouteEditor } from "./route-editor.tsx";
import { RouteReading } from "./route-reading.tsx";

export function Component() {
  const { routeId = "" } = useParams();
  const query = useCall("bus-routes.get", { params: { routeId } });
  const mayChange = useMay("operator");
  if (query.data === undefined) {
    const words = texts.busRoutes;
    return (
      <BusPage title={words.route} parent={{ to: "/bus/routes", text: nouns["bus-routes"].title }}>
        <Loaded query={query}>{() => null}</Loaded>
      </BusPage>
    );
  }
  return (
    <Loaded query={query}>
      {(route) =>
        mayChange ? (
          <RouteEditor key={route.id} stored={route} first={draftOf(route)} />
        ) : (
          <RouteReading route={route} />
        )
      }
    </Loaded>
  );
}
