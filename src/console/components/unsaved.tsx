// Asks for confirmation before the user leaves a page with unsaved changes.

import { useEffect, useState } from "react";
import { type Blocker, type Location, NavigationType, useBlocker } from "react-router";
import { texts } from "../texts/index.ts";
import { Confirm } from "./dialogs/confirm.tsx";

/** The state of a navigation that needs no confirmation, for example after saving. */
export interface LeaveState {
  mayLeave: true;
}

export function Unsaved({ isDirty }: { isDirty: boolean }) {
  const words = texts.leave;
  // The browser's history keeps the state of a page, which must not let a user go back to it.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      isDirty &&
      pageOf(currentLocation) !== pageOf(nextLocation) &&
      (historyAction === NavigationType.Pop || !mayLeave(nextLocation)),
  );
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isDirty]);
  // The router renders the answer a moment later. Until then, the dialog would swallow what the
  // user types.
  const [answered, setAnswered] = useState<Blocker>();
  if (blocker.state !== "blocked" || blocker === answered) return null;
  const answer = (act: () => void) => {
    setAnswered(blocker);
    act();
  };
  return (
    <Confirm
      title={words.title}
      verb={words.verb}
      danger
      busy={false}
      error={null}
      onConfirm={() => answer(() => blocker.proceed())}
      onClose={() => answer(() => blocker.reset())}
    >
      <p>{words.text}</p>
    </Confirm>
  );
}

/** Counts each tab as a page of its own. */
function pageOf({ pathname, search }: Location): string {
  return `${pathname} ${new URLSearchParams(search).get("tab")}`;
}

function mayLeave({ state }: Location): boolean {
  return (state as LeaveState | null)?.mayLeave === true;
}
