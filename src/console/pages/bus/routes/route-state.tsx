// Changes the state of a route after a confirmation, unless someone else has changed the route.

import { useState } from "react";
import { conflictIn } from "../../../client/api-error.ts";
import { refreshAll, useAct } from "../../../client/queries.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Confirm } from "../../../components/dialogs/confirm.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { useNotice } from "../../../components/notices.tsx";
import { DeclaredNote } from "../../../nouns/declared.tsx";
import { texts } from "../../../texts/index.ts";
import { type Route, type RouteState, routeStates, ruleOfRoute } from "./route-draft.ts";

const { change: words, conflict } = texts.busRoutes;

interface StateButtonsProps {
  route: Route;
  /** Whether the buttons are disabled, because the page has changes that they would not save. */
  isHeld?: boolean;
}

export function RouteStateButtons({ route, isHeld = false }: StateButtonsProps) {
  const [wanted, setWanted] = useState<RouteState | null>(null);
  return (
    <>
      {routeStates
        .filter((state) => state !== route.state)
        .map((state) => (
          <Button
            key={state}
            aria-label={words.of({ verb: words[state], name: route.name })}
            disabled={isHeld}
            onClick={() => setWanted(state)}
          >
            {words[state]}
          </Button>
        ))}
      {wanted && <StateChange route={route} state={wanted} onClose={() => setWanted(null)} />}
    </>
  );
}

function StateChange(props: { route: Route; state: RouteState; onClose: () => void }) {
  const { state, onClose } = props;
  // Sends the version that the user has seen, so that the server refuses if there is a newer one.
  const [route] = useState(props.route);
  const { id, name, target, version } = route;
  const notify = useNotice();
  const { error, isPending, mutate } = useAct("bus-routes.update", () => {
    notify(words.done[state]({ name }));
    onClose();
  });
  const newer = conflictIn(error);
  if (newer) {
    const load = () => {
      refreshAll();
      onClose();
    };
    return (
      <Dialog
        title={conflict.title}
        onClose={onClose}
        actions={
          <Button kind="primary" onClick={load}>
            {conflict.load}
          </Button>
        }
      >
        <p role="alert">
          {conflict.text(newer)} {conflict.inDialog}
        </p>
      </Dialog>
    );
  }
  const body = { ...ruleOfRoute(route), state, version };
  const { ENABLED, ...text } = words.text;
  return (
    <Confirm
      title={words.title[state]({ name })}
      verb={words[state]}
      busy={isPending}
      error={error}
      onConfirm={() => mutate({ params: { routeId: id }, body })}
      onClose={onClose}
    >
      <DeclaredNote of={route} />
      <p>
        {state === "ENABLED"
          ? ENABLED({ service: target.serviceCode, action: target.action })
          : text[state]}
      </p>
    </Confirm>
  );
}
