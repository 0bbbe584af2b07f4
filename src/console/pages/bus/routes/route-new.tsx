// A route that is not there yet; made for events like one that came in, when the address names it.

import { useSearchParams } from "react-router";
import { useCall } from "../../../client/queries.ts";
import { Loaded } from "../../../lists/loaded.tsx";
import { texts } from "../../../texts/index.ts";
import { BusPage } from "../bus-page.tsx";
import { emptyDraft } from "./route-draft.ts";
import { RouteEditor } from "./route-editor.tsx";

export function Component() {
  const [query] = useSearchParams();
  const eventId = query.get("eventId");
  const event = useCall(
    "bus-events.get",
    { params: { eventId: eventId ?? "" } },
    { enabled: eventId !== null },
  );
  if (event.data) return <RouteEditor stored={null} first={emptyDraft(event.data)} />;
  // An event that is gone is no reason to make no route.
  if (eventId === null || event.error) return <RouteEditor stored={null} first={emptyDraft()} />;
  return (
    <BusPage title={texts.busRoutes.newTitle}>
      <Loaded query={event}>{() => null}</Loaded>
    </BusPage>
  );
}
