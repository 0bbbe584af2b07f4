// The list of users.

import { useState } from "react";
import { useMe } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { CreateUser } from "./create-user.tsx";
import type { User } from "./user.ts";

const words = texts.users;

export function Component() {
  const [isCreating, setCreating] = useState(false);
  return (
    <NounList
      noun="users"
      cells={{ username: (user) => <Name user={user} />, role: ({ role }) => words.roles[role] }}
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      }
    >
      {isCreating && <CreateUser onClose={() => setCreating(false)} />}
    </NounList>
  );
}

function Name({ user: { id, username } }: { user: User }) {
  const me = useMe();
  return (
    <>
      <NounLink to="users" id={id}>
        {username}
      </NounLink>
      {me.user.id === id && <span className="muted"> ({words.you})</span>}
    </>
  );
}
