// The page of a new route. An event in the URL provides the route's type and source.

import { useSearchParams } from "react-router";
import { useCall } from "../../../client/queries.ts";
import { RouteEditor } from "./route-editor.tsx";

export function Component() {
  const [query] = useSearchParams();
  const eventId = query.get("eventId") ?? "";
  const hasEvent = eventId !== "";
  const event = useCall("bus-events.get", { params: { eventId } }, { enabled: hasEvent });
  // If the event no longer exists, the route starts empty.
  return <RouteEditor event={event.data} isLoading={hasEvent && !event.isFetched} />;
}
