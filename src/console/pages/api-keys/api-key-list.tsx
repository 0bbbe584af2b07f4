// The list of API keys.

import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { type ListedRow, NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";
import { CreateApiKey } from "./create-api-key.tsx";
import "./api-keys.css";

type ApiKey = ListedRow<"api-keys">;

const words = texts.apiKeys;

export function Component() {
  const [isCreating, setCreating] = useState(false);
  return (
    <NounList
      noun="api-keys"
      cells={{ user: owner }}
      acts={(key) => <NounActs noun="api-keys" row={key} inList more={{ revoke: lastUse(key) }} />}
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      }
    >
      {isCreating && <CreateApiKey onClose={() => setCreating(false)} />}
    </NounList>
  );
}

function owner({ user }: ApiKey) {
  if (user === null) return <span className="muted">{words.onTheHost}</span>;
  if (user.username === null) return <span className="muted">{words.userGone}</span>;
  return (
    <NounLink to="users" id={user.id}>
      {user.status === "DISABLED" ? words.userDisabled(user.username) : user.username}
    </NounLink>
  );
}

function lastUse({ lastUsedAt }: ApiKey) {
  if (lastUsedAt === null) return <p>{words.neverUsed}</p>;
  return (
    <p>
      {words.lastUsed} <Time at={lastUsedAt} />.
    </p>
  );
}
