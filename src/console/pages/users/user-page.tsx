import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { capitalized } from "../../../lib/capitalized.ts";
import type { PageNumber } from "../../../lib/whole-list.ts";
import type { Failing } from "../../client/api-error.ts";
import { callPage, type Reply } from "../../client/call.ts";
import { everyPage } from "../../client/every-page.ts";
import { useCall } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { Section } from "../../components/page.tsx";
import { count } from "../../format/number.ts";
import { personName } from "../../format/person.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { Sessions } from "../../lists/sessions.tsx";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { NounPage } from "../../nouns/noun-page.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { IdValue } from "../../values/id-value.tsx";
import { Time } from "../../values/time.tsx";
import { SetPassword } from "./set-password.tsx";
import { EditUser } from "./user-forms.tsx";

type User = Reply<"users.get">;
type Key = Reply<"api-keys.list">[number];

const words = texts.users;

export function Component() {
  const { userId = "" } = useParams();
  const query = useCall("users.get", { params: { userId } });
  const user = query.data;
  const isMe = useMe().user.id === userId;
  return (
    <NounPage
      noun={nouns.users}
      query={query}
      title={user && personName(user)}
      badge={isMe && <span className="muted">{words.you}</span>}
      lead={user && words.roleMeans[user.role]}
      actions={
        user && (
          <>
            {!isMe && (
              <DialogButton text={words.setPassword}>
                {(close) => <SetPassword user={user} onClose={close} />}
              </DialogButton>
            )}
            <DialogButton kind="primary" text={texts.words.edit}>
              {(close) => <EditUser user={user} isMe={isMe} onClose={close} />}
            </DialogButton>
          </>
        )
      }
      acts={user && <UserActs user={user} isMe={isMe} />}
    >
      {({ id, role, lastLoginAt, passwordChangedAt, createdAt, updatedAt, version }) => (
        <>
          <Facts
            card
            facts={[
              [words.role, capitalized(words.roles[role])],
              [words.lastLogin, <Time key="login" at={lastLoginAt} />],
              [words.passwordChanged, <Time key="password" at={passwordChangedAt} />],
              [texts.words.created, <Time key="created" at={createdAt} />],
              [texts.words.updated, <Time key="updated" at={updatedAt} />],
              [words.changes, count(version)],
              [texts.words.id, <IdValue key="id" id={id} />],
            ]}
          />
          <UserSessions userId={id} />
          <p className="row">
            <Link to={`/audit?actorId=${id}`}>{words.whatTheyDid}</Link>
            <Link to={`/audit?targetId=${id}`}>{words.whatWasDone}</Link>
            {isMe && <Link to="/account">{words.yourOwn}</Link>}
          </p>
        </>
      )}
    </NounPage>
  );
}

function UserSessions({ userId }: { userId: string }) {
  const { data: sessions = [] } = useCall("users.sessions", { params: { userId } });
  if (sessions.length === 0) return null;
  return (
    <Section title={texts.account.sessions.title}>
      <Sessions label={texts.account.sessions.title} sessions={sessions} />
    </Section>
  );
}

/** The confirmations name the API keys to be revoked, and warn owners who act on themselves. */
function UserActs({ user, isMe }: { user: User; isMe: boolean }) {
  const warning = (text: string) =>
    isMe && (
      <p>
        <strong>{text}</strong>
      </p>
    );
  const more = {
    "end-sessions": warning(words.endOwnSessions),
    disable: <RevokedKeys userId={user.id}>{warning(words.disableYourself)}</RevokedKeys>,
    delete: <RevokedKeys userId={user.id}>{warning(words.deleteYourself)}</RevokedKeys>,
  };
  return <NounActs noun="users" row={user} more={more} />;
}

const shownKeys = 10;

function RevokedKeys({ userId, children }: { userId: string; children: React.ReactNode }) {
  const query = useQuery<Key[], Failing>({
    queryKey: ["api-keys.list", "of", userId],
    queryFn: ({ signal }) => readKeysOf(userId, signal),
  });
  return (
    <>
      <Loaded query={query}>{(keys) => keys.length > 0 && <KeysThatGo keys={keys} />}</Loaded>
      {children}
    </>
  );
}

/** The active keys that the user owns, or has created for others. */
async function readKeysOf(userId: string, signal: AbortSignal): Promise<Key[]> {
  const keys = new Map<string, Key>();
  for (const filter of [{ userId }, { makerId: userId }]) {
    const readPage = (place: PageNumber) => {
      const query = { status: "ACTIVE" as const, ...filter, ...place };
      return callPage("api-keys.list", { query }, signal);
    };
    for await (const rows of everyPage(readPage)) for (const key of rows) keys.set(key.id, key);
  }
  return [...keys.values()];
}

function KeysThatGo({ keys }: { keys: readonly Key[] }) {
  const more = keys.length - shownKeys;
  return (
    <>
      <p>{words.keysGo({ many: keys.length })}</p>
      <ul>
        {keys.slice(0, shownKeys).map(({ id, name, role }) => (
          <li key={id}>
            {name}
            <span className="muted">{texts.words.aside({ text: words.roles[role] })}</span>
          </li>
        ))}
        {more > 0 && <li className="muted">{words.moreKeys({ many: more })}</li>}
      </ul>
    </>
  );
}
