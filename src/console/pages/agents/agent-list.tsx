// All agents, with filters in the address.

import type { Reply } from "../../client/call.ts";
import { usePage } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { ChoiceFilter, Filters, TextFilter } from "../../lists/filters.tsx";
import { List } from "../../lists/list.tsx";
import { useListState } from "../../lists/list-state.ts";
import type { Column } from "../../lists/table.tsx";
import { texts } from "../../texts/index.ts";
import { AgentLink } from "../../values/links.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { newTokenAddress } from "../registration-tokens/addresses.ts";
import { labelTexts } from "./labels.ts";

type Agent = Reply<"agents.list">[number];

const words = texts.agents;

const columns: Column<Agent>[] = [
  {
    key: "code",
    header: texts.words.code,
    cell: ({ id, code }) => <AgentLink id={id}>{code}</AgentLink>,
  },
  { key: "name", header: texts.words.name, cell: ({ name }) => name },
  {
    key: "status",
    header: texts.words.status,
    cell: ({ status, offlineReason }) => (
      <>
        <StatusBadge status={status} />
        {status === "OFFLINE" && offlineReason && (
          <span className="muted small"> {words.reasons[offlineReason]}</span>
        )}
      </>
    ),
  },
  {
    key: "lastSign",
    header: words.lastSign,
    cell: ({ lastHeartbeatAt }) => <Time at={lastHeartbeatAt} />,
  },
  { key: "mode", header: words.mode, cell: ({ mode }) => mode },
  { key: "version", header: texts.words.version, cell: ({ version }) => version },
  {
    key: "labels",
    header: words.labels,
    cell: ({ labels }) => labelTexts(labels).join(", "),
  },
  {
    key: "token",
    header: words.tokenState,
    extra: true,
    cell: ({ tokenState }) => <StatusBadge status={tokenState} />,
  },
  {
    key: "registered",
    header: words.registered,
    extra: true,
    cell: ({ registeredAt }) => <Time at={registeredAt} />,
  },
];

export function Component() {
  const state = useListState(["q", "status", "tokenState", "mode", "label"]);
  const { page, pageSize, filters } = state;
  const query = usePage("agents.list", { query: { page, pageSize, ...filters } as never });
  const mayCreateToken = useMay("operator");
  const createToken = (
    <ButtonLink to={newTokenAddress}>{texts.registrationTokens.create}</ButtonLink>
  );
  return (
    <Page title={words.title} lead={words.lead} actions={mayCreateToken && createToken}>
      <Filters state={state}>
        <TextFilter state={state} name="q" label={texts.words.search} hint={words.searchHint} />
        <ChoiceFilter
          state={state}
          name="status"
          label={texts.words.status}
          options={["ONLINE", "OFFLINE", "DISABLED"]}
        />
        <ChoiceFilter
          state={state}
          name="tokenState"
          label={words.tokenState}
          options={["ACTIVE", "REVOKED", "NONE"]}
        />
        <TextFilter state={state} name="mode" label={words.mode} />
        <TextFilter state={state} name="label" label={words.labelFilter} hint={words.labelHint} />
      </Filters>
      <List
        name="agents"
        label={words.title}
        query={query}
        state={state}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<p>{mayCreateToken ? words.empty : words.emptyForViewers}</p>}
      />
    </Page>
  );
}
