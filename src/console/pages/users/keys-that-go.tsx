// The API keys that end with a user: named before the user is disabled or deleted.

import { usePage } from "../../client/queries.ts";
import { texts } from "../../texts/index.ts";

const words = texts.users;
const shown = 10;

export function KeysThatGo({ userId }: { userId: string }) {
  const query = { userId, status: "ACTIVE" as const, pageSize: shown };
  const { data } = usePage("api-keys.list", { query });
  const total = data?.pagination.total ?? 0;
  if (!data || total === 0) return null;
  return (
    <>
      <p>{words.keysGo(total)}</p>
      <ul>
        {data.data.map(({ id, name, role }) => (
          <li key={id}>
            {name} <span className="muted">({words.roles[role]})</span>
          </li>
        ))}
        {total > shown && <li className="muted">{words.moreKeys(total - shown)}</li>}
      </ul>
    </>
  );
}
