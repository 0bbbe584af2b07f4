// Narrows a list to one agent, by its code.

import { useState } from "react";
import { useCall, usePage } from "../client/queries.ts";
import { texts } from "../texts/index.ts";
import type { ListState } from "./list-state.ts";
import { LookupFilter } from "./lookup-filter.tsx";

export function AgentFilter({ state }: { state: ListState<"agentId"> }) {
  const { agentId = "" } = state.filters;
  const [draft, setDraft] = useState<string | null>(null);
  const chosen = useCall("agents.get", { params: { agentId } }, { enabled: agentId !== "" });
  const found = usePage(
    "agents.list",
    { query: { pageSize: 20, ...(draft ? { q: draft } : {}) } },
    { enabled: draft !== null },
  );
  const agents = found.data?.data ?? [];
  return (
    <LookupFilter
      label={texts.words.agent}
      unknown={texts.agents.noneOfThisCode}
      id={agentId}
      name={chosen.data?.code}
      draft={draft}
      onDraft={setDraft}
      options={agents.map(({ id, code }) => ({ id, text: code }))}
      isSettled={found.isSuccess && !found.isFetching}
      onChoose={(id) => state.setFilter("agentId", id)}
    />
  );
}
