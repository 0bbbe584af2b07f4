// Deleting a route.

import { useState } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../../client/queries.ts";
import { Button } from "../../../components/button.tsx";
import { Confirm } from "../../../components/confirm.tsx";
import { useNotice } from "../../../components/notices.tsx";
import { texts } from "../../../texts/index.ts";
import type { Route } from "./route-draft.ts";
import type { LeaveState } from "./unsaved.tsx";

const words = texts.busRoutes.remove;

export function DeleteRoute({ route }: { route: Route }) {
  const [isAsking, setAsking] = useState(false);
  const tell = useNotice();
  const navigate = useNavigate();
  const leave = () => {
    const state: LeaveState = { mayLeave: true };
    tell(words.done(route.name));
    void navigate("/bus/routes", { replace: true, state });
  };
  const act = useAct("bus-routes.delete", leave, { leaving: true });
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.words.delete}</Button>
      {isAsking && (
        <Confirm
          title={words.title(route.name)}
          verb={texts.words.delete}
          danger
          busy={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate({ params: { routeId: route.id } })}
          onClose={() => setAsking(false)}
        >
          <p>{words.text}</p>
        </Confirm>
      )}
    </>
  );
}
