// What an owner can do with a user, and what the questions say besides: the API keys that are revoked too, and
// that the user is oneself.

import type { ReactNode } from "react";
import { useMe } from "../../client/session.ts";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { texts } from "../../texts/index.ts";
import { KeysThatGo } from "./keys-that-go.tsx";
import type { User } from "./user.ts";

const words = texts.users;

export function UserActs({ user }: { user: User }) {
  const isMe = useMe().user.id === user.id;
  const warning = (text: string): ReactNode =>
    isMe && (
      <p>
        <strong>{text}</strong>
      </p>
    );
  const keys = <KeysThatGo userId={user.id} />;
  const more = {
    "end-sessions": warning(words.endOwnSessions),
    disable: (
      <>
        {keys}
        {warning(words.disableYourself)}
      </>
    ),
    delete: (
      <>
        {keys}
        {warning(words.deleteYourself)}
      </>
    ),
  };
  return <NounActs noun="users" row={user} more={more} />;
}
