// All registration tokens; operators create, revoke and delete them.

import { useSearchParams } from "react-router";
import type { Reply } from "../../client/call.ts";
import { usePage } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { ChoiceFilter, Filters } from "../../lists/filters.tsx";
import { List } from "../../lists/list.tsx";
import { useListState } from "../../lists/list-state.ts";
import type { Column } from "../../lists/table.tsx";
import { texts } from "../../texts/index.ts";
import { AgentCodeLink } from "../../values/links.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { CreateToken } from "./create-token.tsx";
import { TokenActs } from "./token-acts.tsx";

type Token = Reply<"registration-tokens.list">[number];

const words = texts.registrationTokens;

const columns: Column<Token>[] = [
  {
    key: "name",
    header: texts.words.name,
    cell: ({ name }) => name ?? <span className="muted">{words.unnamed}</span>,
  },
  {
    key: "status",
    header: texts.words.status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { key: "letsIn", header: words.letsIn, cell: (token) => <Scope token={token} /> },
  {
    key: "expires",
    header: texts.words.expires,
    // One that is used or revoked lets nobody in, whenever it ends.
    cell: ({ status, expiresAt }) =>
      status === "ACTIVE" || status === "EXPIRED" ? <Time at={expiresAt} /> : null,
  },
  { key: "created", header: texts.words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { key: "createdBy", header: texts.words.createdBy, cell: ({ createdBy }) => createdBy },
  { key: "used", header: words.used, cell: (token) => <Use token={token} /> },
  {
    key: "revoked",
    header: texts.words.revoked,
    extra: true,
    cell: ({ revokedAt }) => revokedAt && <Time at={revokedAt} />,
  },
  { key: "id", header: texts.words.id, extra: true, cell: ({ id }) => <code>{id}</code> },
];

const acts: Column<Token> = {
  key: "acts",
  header: texts.words.change,
  cell: (token) => <TokenActs token={token} />,
};

export function Component() {
  const state = useListState(["status"]);
  const { page, pageSize, filters } = state;
  const query = usePage("registration-tokens.list", {
    query: { page, pageSize, ...filters } as never,
  });
  const mayCreate = useMay("operator");
  const [address, setAddress] = useSearchParams();
  const isCreating = mayCreate && address.has("new");
  const setCreating = (isOpen: boolean) =>
    setAddress((before) => {
      const next = new URLSearchParams(before);
      if (isOpen) next.set("new", "1");
      else next.delete("new");
      return next;
    });
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {words.create}
    </Button>
  );
  return (
    <Page title={words.title} lead={words.lead} actions={mayCreate && create}>
      <Filters state={state}>
        <ChoiceFilter
          state={state}
          name="status"
          label={texts.words.status}
          options={["ACTIVE", "USED", "REVOKED", "EXPIRED"]}
        />
      </Filters>
      <List
        name="registration-tokens"
        label={words.title}
        query={query}
        state={state}
        columns={mayCreate ? [...columns, acts] : columns}
        rowKey={({ id }) => id}
        empty={words.empty}
      />
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Scope({ token: { agentCode, replace } }: { token: Token }) {
  return (
    <>
      {agentCode === null ? (
        <span className="muted">{words.anyAgent}</span>
      ) : (
        <code>{agentCode}</code>
      )}
      {replace && <div className="small">{words.replacing}</div>}
    </>
  );
}

function Use({ token: { usedAt, usedByAgentId } }: { token: Token }) {
  return (
    <>
      <Time at={usedAt} none={words.notYet} />
      {usedByAgentId && (
        <div className="small">
          {words.by} <AgentCodeLink id={usedByAgentId} />
        </div>
      )}
    </>
  );
}
