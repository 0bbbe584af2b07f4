// The requests that the user has made, and what has become of them.

import { usePage } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { List } from "../../lists/list.tsx";
import { useListState } from "../../lists/list-state.ts";
import { columnsOf } from "../../nouns/noun-columns.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";

const words = texts.approvals.tabs;
/** Even a narrow list shows all columns: there are few, and users look for the reason. */
const columns = columnsOf(nouns.approvals, {}, ["state", "title", "why", "created", "ended"]).map(
  (column) => ({ ...column, extra: false, card: column.card ?? ("fact" as const) }),
);

export function MyRequests() {
  const { user } = useMe();
  const state = useListState([]);
  const { page, pageSize } = state;
  const query = usePage("approvals.list", { query: { requesterId: user.id, page, pageSize } });
  return (
    <List
      name="my-requests"
      label={words.mine}
      query={query}
      state={state}
      columns={columns}
      opensRows
      rowKey={({ id }) => id}
      empty={words.noneOfMine}
    />
  );
}
