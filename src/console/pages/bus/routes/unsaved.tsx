// Asks before somebody leaves what is not saved: for another page, or altogether.

import { useEffect } from "react";
import { type Location, useBlocker } from "react-router";
import { Confirm } from "../../../components/confirm.tsx";
import { texts } from "../../../texts/index.ts";

/** Goes with a navigation of which nobody needs to be asked: after saving, or deleting. */
export interface LeaveState {
  mayLeave: true;
}

const words = texts.busRoutes.leave;

export function Unsaved({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && currentLocation.pathname !== nextLocation.pathname && !mayLeave(nextLocation),
  );
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isDirty]);
  if (blocker.state !== "blocked") return null;
  return (
    <Confirm
      title={words.title}
      verb={words.verb}
      danger
      busy={false}
      error={null}
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    >
      <p>{words.text}</p>
    </Confirm>
  );
}

function mayLeave({ state }: Location): boolean {
  return (state as LeaveState | null)?.mayLeave === true;
}
