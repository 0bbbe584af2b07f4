// Which of the first steps are done. If an action ran before the page was opened, no other data is
// read.

import { useState } from "react";
import type { Reply } from "../client/call.ts";
import { useCall, usePage } from "../client/queries.ts";
import { useMay, useMe } from "../client/session.ts";
import { keptChoice } from "../components/kept-choice.ts";

/** Whether this browser shows the steps. */
export const firstSteps = keptChoice("firstSteps", ["shown", "hidden"]);

export type StepKey = "token" | "agent" | "service" | "action" | "password";

interface Step {
  key: StepKey;
  isDone: boolean;
}

interface Steps {
  /** Null while the data is being read, and if it cannot be read. */
  steps: Step[] | null;
  isPending: boolean;
  /** Whether an action had run before this page was opened. */
  wasDoneBefore: boolean;
}

export function useSteps(): Steps {
  const runs = usePage("commands.list", { query: { pageSize: 1, type: "ACTION_EXECUTE" } });
  const ran = runs.data && runs.data.pagination.total > 0;
  const [first, setFirst] = useState<boolean>();
  if (first === undefined && ran !== undefined) setFirst(ran);
  const isOpen = first === false;
  const fleet = useCall("overview.get", {}, { enabled: isOpen });
  const password = useOwnPassword(isOpen);
  const isRead = ran !== undefined && fleet.data !== undefined && password !== undefined;
  const isFailed = runs.error !== null || fleet.error !== null;
  return {
    isPending: !isRead && !isFailed && first !== true,
    wasDoneBefore: first === true,
    steps: isRead ? stepsOf(fleet.data, ran, password) : null,
  };
}

function stepsOf(fleet: Reply<"overview.get">, ran: boolean, password: boolean | null): Step[] {
  const { agents, services, registrationTokens } = fleet;
  return [
    { key: "token", isDone: isAny(registrationTokens) || isAny(agents) },
    { key: "agent", isDone: isAny(agents) },
    { key: "service", isDone: isAny(services) },
    { key: "action", isDone: ran },
    ...(password === null ? [] : [{ key: "password", isDone: password } as const]),
  ];
}

function isAny(counts: Readonly<Record<string, number>>): boolean {
  return Object.values(counts).some((count) => count > 0);
}

/**
 * Whether this owner has changed the password that the account was created with. Null if the user
 * is not an owner or cannot be read; undefined until the user has been read.
 */
function useOwnPassword(isAsked: boolean): boolean | null | undefined {
  const isOwner = useMay("owner");
  const { id } = useMe().user;
  const enabled = isAsked && isOwner;
  const { data, error } = useCall("users.get", { params: { userId: id } }, { enabled });
  if (!isOwner || error) return null;
  return data && data.passwordChangedAt !== data.createdAt;
}
