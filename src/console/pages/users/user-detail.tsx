// One user: what is known, and what an owner may do to it.

import { useState } from "react";
import { Link, useParams } from "react-router";
import { useCall } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Page, Section } from "../../components/page.tsx";
import { count } from "../../format/number.ts";
import { Sessions } from "../../lists/sessions.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { EditUser } from "./edit-user.tsx";
import { SetPassword } from "./set-password.tsx";
import type { User } from "./user.ts";
import { UserActs } from "./user-acts.tsx";

const words = texts.users;
const parent = { to: "/users", text: nouns.users.title };

export function Component() {
  const { userId = "" } = useParams();
  const { data: user, error, refetch } = useCall("users.get", { params: { userId } });
  const failure = <Failure error={error} onRetry={() => void refetch()} />;
  if (user) return <UserPage key={user.id} user={user} failure={failure} />;
  return (
    <Page title={words.user} parent={parent} lead={error ? undefined : texts.words.loading}>
      {failure}
    </Page>
  );
}

type Doing = "edit" | "password";

function UserPage({ user, failure }: { user: User; failure: React.ReactNode }) {
  const isMe = useMe().user.id === user.id;
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title={user.username}
      badge={
        <>
          <StatusBadge status={user.status} />
          {isMe && <span className="muted">{words.you}</span>}
        </>
      }
      lead={words.roleMeans[user.role]}
      parent={parent}
      actions={
        <>
          <Button onClick={() => setDoing("edit")}>{texts.words.edit}</Button>
          {!isMe && <Button onClick={() => setDoing("password")}>{words.setPassword}</Button>}
          <UserActs user={user} />
        </>
      }
    >
      {failure}
      <div className="card">
        <Facts
          facts={[
            [words.role, words.roles[user.role]],
            [words.lastLogin, <Time key="login" at={user.lastLoginAt} />],
            [words.passwordChanged, <Time key="password" at={user.passwordChangedAt} />],
            [texts.words.created, <Time key="created" at={user.createdAt} />],
            [texts.words.updated, <Time key="updated" at={user.updatedAt} />],
            [words.changes, count(user.version)],
            [texts.words.id, <code key="id">{user.id}</code>],
          ]}
        />
      </div>
      <UserSessions userId={user.id} />
      <p className="row">
        <Link to={`/audit?actorId=${user.id}`}>{words.whatTheyDid}</Link>
        <Link to={`/audit?targetId=${user.id}`}>{words.whatWasDone}</Link>
        {isMe && <Link to="/account">{words.yourOwn}</Link>}
      </p>
      {doing === "edit" && <EditUser user={user} isMe={isMe} onClose={close} />}
      {doing === "password" && <SetPassword user={user} onClose={close} />}
    </Page>
  );
}

function UserSessions({ userId }: { userId: string }) {
  const { data: sessions } = useCall("users.sessions", { params: { userId } });
  if (!sessions || sessions.length === 0) return null;
  return (
    <Section title={words.signedIn}>
      <Sessions label={words.signedIn} sessions={sessions} />
    </Section>
  );
}
