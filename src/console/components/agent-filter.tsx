// Narrows a list to one agent. The address carries its id; the person writes its code, and is helped
// with those that there are.

import { useEffect, useEffectEvent, useId, useState } from "react";
import { useCall, usePage } from "../client/queries.ts";
import { texts } from "../texts/index.ts";
import { Field } from "./field.tsx";
import type { ListState } from "./list-state.ts";

export function AgentFilter({ state }: { state: ListState<"agentId"> }) {
  const { agentId = "" } = state.filters;
  const listId = useId();
  // What is being written; null while nobody writes.
  const [draft, setDraft] = useState<string | null>(null);
  const chosen = useCall("agents.get", { params: { agentId } }, { enabled: agentId !== "" });
  const found = usePage(
    "agents.list",
    { query: { pageSize: 20, ...(draft ? { q: draft } : {}) } },
    { enabled: draft !== null },
  );
  const agents = found.data?.data ?? [];
  const wanted = draft?.trim();
  const match = agents.find(({ code }) => code === wanted)?.id ?? (wanted === "" ? "" : agentId);
  const apply = useEffectEvent(() => {
    if (match !== agentId) state.setFilter("agentId", match);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each agent that is named
  useEffect(() => apply(), [match]);
  const isUnknown = wanted && found.isSuccess && !found.isFetching && agents.length === 0;
  return (
    <Field label={texts.words.agent} error={isUnknown ? texts.agents.noneOfThisCode : null}>
      {(control) => (
        <>
          <input
            {...control}
            type="search"
            list={listId}
            autoComplete="off"
            placeholder={texts.agents.anyAgent}
            value={draft ?? (agentId && (chosen.data?.code ?? agentId))}
            onFocus={(event) => setDraft(event.target.value)}
            onChange={(event) => setDraft(event.target.value)}
            onBlur={() => setDraft(null)}
          />
          <datalist id={listId}>
            {agents.map(({ id, code }) => (
              <option key={id} value={code} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
