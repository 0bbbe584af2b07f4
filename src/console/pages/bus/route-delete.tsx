// Deleting a route.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { call } from "../../client/call.ts";
import { type Failing, refreshAll } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { useNotice } from "../../components/notices.tsx";
import { texts } from "../../texts/index.ts";
import type { Route } from "./route-draft.ts";
import type { LeaveState } from "./unsaved.tsx";

const words = texts.busRoutes.remove;

export function DeleteRoute({ route }: { route: Route }) {
  const [isAsking, setAsking] = useState(false);
  const tell = useNotice();
  const navigate = useNavigate();
  const remove = useMutation<unknown, Failing, void>({
    mutationFn: () => call("bus-routes.delete", { params: { routeId: route.id } }),
    onSuccess: async () => {
      const state: LeaveState = { mayLeave: true };
      tell(words.done(route.name));
      await navigate("/bus/routes", { replace: true, state });
      // Not before: on its own page it would be looked for again.
      await refreshAll();
    },
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.words.delete}</Button>
      {isAsking && (
        <Confirm
          title={words.title(route.name)}
          verb={texts.words.delete}
          danger
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{words.text}</p>
        </Confirm>
      )}
    </>
  );
}
