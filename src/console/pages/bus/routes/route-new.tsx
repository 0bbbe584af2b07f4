// The page of a new route. An event in the URL provides the route's type and source.

import { useSearchParams } from "react-router";
import { useCall } from "../../../client/queries.ts";
import { Loading } from "../../../lists/loaded.tsx";
import { texts } from "../../../texts/index.ts";
import { BusPage } from "../bus-page.tsx";
import { RouteEditor } from "./route-editor.tsx";

export function Component() {
  const [query] = useSearchParams();
  const eventId = query.get("eventId") ?? "";
  const event = useCall("bus-events.get", { params: { eventId } }, { enabled: eventId !== "" });
  // If the event no longer exists, the route starts empty.
  if (event.data || event.error || eventId === "") {
    return <RouteEditor event={event.data} />;
  }
  return (
    <BusPage title={texts.busRoutes.newTitle}>
      <Loading />
    </BusPage>
  );
}
