// Which of the first steps are done. Each read stops as soon as the first action has run.

import { useState } from "react";
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
  /** Null if they cannot be read. */
  steps: Step[] | null;
  isPending: boolean;
  /** The first action had run before this page was opened. */
  wasDoneBefore: boolean;
}

const one = { query: { pageSize: 1 } };

export function useSteps(): Steps {
  const runs = usePage("commands.list", { query: { ...one.query, type: "ACTION_EXECUTE" } });
  const ran = runs.data && runs.data.pagination.total > 0;
  const [first, setFirst] = useState<boolean>();
  if (first === undefined && ran !== undefined) setFirst(ran);
  const reading = { enabled: first === false };
  const tokens = usePage("registration-tokens.list", one, reading);
  const agents = usePage("agents.list", one, reading);
  const services = usePage("services.list", one, reading);
  const password = useOwnPassword(first === false);
  const all = [tokens, agents, services];
  const isRead = ran !== undefined && all.every(({ data }) => data) && password !== undefined;
  const isFailed = [runs, ...all].some(({ error }) => error !== null);
  const has = ({ data }: (typeof all)[number]) => (data?.pagination.total ?? 0) > 0;
  return {
    isPending: !isRead && !isFailed && first !== true,
    wasDoneBefore: first === true,
    steps: isRead
      ? [
          { key: "token", isDone: has(tokens) || has(agents) },
          { key: "agent", isDone: has(agents) },
          { key: "service", isDone: has(services) },
          { key: "action", isDone: ran },
          ...(password === null ? [] : [{ key: "password", isDone: password } as const]),
        ]
      : null,
  };
}

/**
 * Whether an owner has changed the password with which the account was created. Null if the user
 * cannot know, undefined until it has been read.
 */
function useOwnPassword(isAsked: boolean): boolean | null | undefined {
  const isOwner = useMay("owner");
  const { id } = useMe().user;
  const enabled = isAsked && isOwner;
  const { data, error } = useCall("users.get", { params: { userId: id } }, { enabled });
  if (!isOwner || error) return null;
  return data && data.passwordChangedAt !== data.createdAt;
}
