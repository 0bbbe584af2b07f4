// All API keys: how they stand, and how to make and revoke one.

import { useState } from "react";
import { Link } from "react-router";
import type { Reply } from "../../client/call.ts";
import { useAct, usePage } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { useNotice } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { ChoiceFilter, Filters } from "../../lists/filters.tsx";
import { List } from "../../lists/list.tsx";
import { useListState } from "../../lists/list-state.ts";
import type { Column } from "../../lists/table.tsx";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { CreateApiKey } from "./create-api-key.tsx";
import "./api-keys.css";

type ApiKey = Reply<"api-keys.list">[number];

const words = texts.apiKeys;

export function Component() {
  const state = useListState(["status"]);
  const { page, pageSize, filters } = state;
  const query = usePage("api-keys.list", { query: { page, pageSize, ...filters } as never });
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [deleting, setDeleting] = useState<ApiKey | null>(null);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      }
    >
      <Filters state={state}>
        <ChoiceFilter
          state={state}
          name="status"
          label={texts.words.status}
          options={["ACTIVE", "EXPIRED", "REVOKED"]}
        />
      </Filters>
      <List
        name="api-keys"
        label={words.title}
        query={query}
        state={state}
        columns={columnsWith(setRevoking, setDeleting)}
        rowKey={({ id }) => id}
        empty={words.empty}
      />
      {isCreating && <CreateApiKey onClose={() => setCreating(false)} />}
      {revoking && <ConfirmRevoke apiKey={revoking} onClose={() => setRevoking(null)} />}
      {deleting && <ConfirmDelete apiKey={deleting} onClose={() => setDeleting(null)} />}
    </Page>
  );
}

type OnKey = (key: ApiKey) => void;

function columnsWith(onRevoke: OnKey, onDelete: OnKey): Column<ApiKey>[] {
  return [
    { key: "name", header: texts.words.name, cell: ({ name }) => name },
    { key: "role", header: texts.users.role, cell: ({ role }) => texts.users.roles[role] },
    {
      key: "status",
      header: texts.words.status,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    { key: "user", header: words.belongsTo, cell: ({ user }) => <Owner user={user} /> },
    {
      key: "lastUsed",
      header: words.lastUsed,
      cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
    },
    {
      key: "expires",
      header: texts.words.expires,
      cell: ({ expiresAt }) => <Time at={expiresAt} />,
    },
    {
      key: "createdBy",
      header: texts.words.createdBy,
      extra: true,
      cell: ({ createdBy }) => createdBy,
    },
    {
      key: "created",
      header: texts.words.created,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      key: "revoked",
      header: texts.words.revoked,
      extra: true,
      cell: ({ revokedAt }) => revokedAt && <Time at={revokedAt} />,
    },
    {
      key: "act",
      header: texts.words.change,
      cell: (key) =>
        key.status === "ACTIVE" ? (
          <Button aria-label={`${words.revoke} ${key.name}`} onClick={() => onRevoke(key)}>
            {words.revoke}
          </Button>
        ) : (
          <Button aria-label={`${words.delete} ${key.name}`} onClick={() => onDelete(key)}>
            {words.delete}
          </Button>
        ),
    },
  ];
}

function Owner({ user }: Pick<ApiKey, "user">) {
  if (user === null) return <span className="muted">{words.onTheHost}</span>;
  if (user.username === null) return <span className="muted">{words.userGone}</span>;
  const isDisabled = user.status === "DISABLED";
  return (
    <Link to={`/users/${user.id}`}>
      {isDisabled ? words.userDisabled(user.username) : user.username}
    </Link>
  );
}

function ConfirmDelete({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id, name } = apiKey;
  const tell = useNotice();
  const remove = useAct("api-keys.delete", () => {
    tell(words.isDeleted(name));
    onClose();
  });
  return (
    <Confirm
      title={words.deleteTitle(name)}
      verb={words.delete}
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { keyId: id } })}
      onClose={onClose}
    >
      <p>{words.deleteSays}</p>
    </Confirm>
  );
}

function ConfirmRevoke({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id, name, lastUsedAt } = apiKey;
  const tell = useNotice();
  const revoke = useAct("api-keys.revoke", () => {
    tell(words.isRevoked(name));
    onClose();
  });
  return (
    <Confirm
      title={words.revokeTitle(name)}
      verb={words.revoke}
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ params: { keyId: id } })}
      onClose={onClose}
    >
      <p>{words.revokeSays}</p>
      <p>
        {lastUsedAt === null ? (
          words.neverUsed
        ) : (
          <>
            {words.lastUsedSays} <Time at={lastUsedAt} />.
          </>
        )}
      </p>
    </Confirm>
  );
}
