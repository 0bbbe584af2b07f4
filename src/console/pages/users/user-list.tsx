// All users, and how to make one.

import { useState } from "react";
import { Link } from "react-router";
import { usePage } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { roles } from "../../fields/role-field.tsx";
import { ChoiceFilter, Filters, TextFilter } from "../../lists/filters.tsx";
import { List } from "../../lists/list.tsx";
import { useListState } from "../../lists/list-state.ts";
import type { Column } from "../../lists/table.tsx";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { CreateUser } from "./create-user.tsx";
import type { User } from "./user.ts";

const words = texts.users;

const columns: Column<User>[] = [
  { key: "username", header: words.user, cell: (user) => <Name user={user} /> },
  { key: "role", header: words.role, cell: ({ role }) => words.roles[role] },
  {
    key: "status",
    header: texts.words.status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: "lastLogin",
    header: words.lastLogin,
    cell: ({ lastLoginAt }) => <Time at={lastLoginAt} />,
  },
  { key: "created", header: texts.words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    key: "passwordChanged",
    header: words.passwordChanged,
    extra: true,
    cell: ({ passwordChangedAt }) => <Time at={passwordChangedAt} />,
  },
];

export function Component() {
  const state = useListState(["q", "role", "status"]);
  const { page, pageSize, filters } = state;
  const query = usePage("users.list", { query: { page, pageSize, ...filters } as never });
  const [isCreating, setCreating] = useState(false);
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
        <TextFilter state={state} name="q" label={texts.words.search} hint={words.searchHint} />
        <ChoiceFilter state={state} name="role" label={words.role} options={roles} />
        <ChoiceFilter
          state={state}
          name="status"
          label={texts.words.status}
          options={["ACTIVE", "DISABLED"]}
        />
      </Filters>
      <List
        name="users"
        label={words.title}
        query={query}
        state={state}
        columns={columns}
        rowKey={({ id }) => id}
        empty={words.empty}
      />
      {isCreating && <CreateUser onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Name({ user: { id, username } }: { user: User }) {
  const me = useMe();
  return (
    <>
      <Link to={`/users/${id}`}>{username}</Link>
      {me.user.id === id && <span className="muted"> ({words.you})</span>}
    </>
  );
}
