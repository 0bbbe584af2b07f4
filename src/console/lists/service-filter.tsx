// Narrows a list to one service, by its code; agents may have services of the same one.

import { useState } from "react";
import { useCall, usePage } from "../client/queries.ts";
import { texts } from "../texts/index.ts";
import type { ListState } from "./list-state.ts";
import { LookupFilter } from "./lookup-filter.tsx";

const words = texts.services;

export function ServiceFilter({ state }: { state: ListState<"serviceId"> }) {
  const { serviceId = "" } = state.filters;
  const [draft, setDraft] = useState<string | null>(null);
  const chosen = useCall("services.get", { params: { serviceId } }, { enabled: serviceId !== "" });
  // The search knows codes only; what was chosen has its agent behind it.
  const [q = ""] = draft?.trim().split(/\s/) ?? [];
  const found = usePage(
    "services.list",
    { query: { pageSize: 50, ...(q === "" ? {} : { q }) } },
    { enabled: draft !== null },
  );
  const services = found.data?.data ?? [];
  return (
    <LookupFilter
      label={texts.words.service}
      unknown={words.noneOfThisCode}
      id={serviceId}
      name={chosen.data && words.ofAgent(chosen.data.code, chosen.data.agentCode)}
      draft={draft}
      onDraft={setDraft}
      options={services.map(({ id, code, agentCode }) => ({
        id,
        text: words.ofAgent(code, agentCode),
      }))}
      isSettled={found.isSuccess && !found.isFetching}
      onChoose={(id) => state.setFilter("serviceId", id)}
    />
  );
}
