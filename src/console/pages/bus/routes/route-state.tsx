// Changing the state of a route, from the list or from its own page: asked first, and only in the version
// that was seen.

import { useState } from "react";
import { ApiError } from "../../../client/api-error.ts";
import { refreshAll, useAct } from "../../../client/queries.ts";
import { Button } from "../../../components/button.tsx";
import { Confirm } from "../../../components/confirm.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { useNotice } from "../../../components/notices.tsx";
import { texts } from "../../../texts/index.ts";
import { type Route, type RouteState, routeStates, ruleOfRoute } from "./route-draft.ts";

const words = texts.busRoutes.change;

/** A button for each state that the route is not in. */
export function RouteStateButtons({ route }: { route: Route }) {
  const [wanted, setWanted] = useState<RouteState | null>(null);
  return (
    <>
      {routeStates
        .filter((state) => state !== route.state)
        .map((state) => (
          <Button
            key={state}
            aria-label={words.of(words[state], route.name)}
            onClick={() => setWanted(state)}
          >
            {words[state]}
          </Button>
        ))}
      {wanted && <StateChange route={route} state={wanted} onClose={() => setWanted(null)} />}
    </>
  );
}

function StateChange({
  route: shown,
  state,
  onClose,
}: {
  route: Route;
  state: RouteState;
  onClose: () => void;
}) {
  // What was read when it was asked: a newer version that comes in meanwhile has not been looked at.
  const [route] = useState(shown);
  const tell = useNotice();
  const act = useAct("bus-routes.update", () => {
    tell(words.done[state](route.name));
    onClose();
  });
  if (act.error instanceof ApiError && act.error.code === "VERSION_CONFLICT") {
    return <Conflict error={act.error} onClose={onClose} />;
  }
  const { serviceCode, action } = route.target;
  const body = { ...ruleOfRoute(route), state, version: route.version };
  return (
    <Confirm
      title={words.title[state](route.name)}
      verb={words[state]}
      busy={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({ params: { routeId: route.id }, body })}
      onClose={onClose}
    >
      <p>{state === "ENABLED" ? words.text.ENABLED(serviceCode, action) : words.text[state]}</p>
    </Confirm>
  );
}

function Conflict({ error, onClose }: { error: ApiError; onClose: () => void }) {
  const conflict = texts.busRoutes.conflict;
  const load = async () => {
    await refreshAll();
    onClose();
  };
  return (
    <Dialog
      title={conflict.title}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={() => void load()}>
          {conflict.load}
        </Button>
      }
    >
      <p role="alert">
        {conflict.text(Number(error.details.currentVersion))} {conflict.inDialog}
      </p>
    </Dialog>
  );
}
