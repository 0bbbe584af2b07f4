// The signed-in user's sessions and password.

import { useState } from "react";
import { capitalized } from "../../../lib/capitalized.ts";
import { conflictIn } from "../../client/api-error.ts";
import { useAct, useCall } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { Button } from "../../components/buttons/button.tsx";
import { Confirm } from "../../components/dialogs/confirm.tsx";
import { Alert } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { Page, Section } from "../../components/page.tsx";
import { fieldsOf, useDraft } from "../../fields/draft.ts";
import { FormFailure } from "../../fields/form-failure.tsx";
import { CheckField, TextField } from "../../fields/inputs.tsx";
import { NewPassword } from "../../fields/new-password.tsx";
import { Loaded } from "../../lists/loaded.tsx";
import { type Session, Sessions } from "../../lists/sessions.tsx";
import { LanguageChoice } from "../../shell/language-choice.tsx";
import { setSingleKeys, useSingleKeys } from "../../shell/shortcuts/single-keys.ts";
import { SignOutButton } from "../../shell/sign-out-button.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { Time } from "../../values/time.tsx";
import "./account.css";

const words = texts.account;

export function Component() {
  const { user, expiresAt } = useMe();
  // Each call since the page was loaded has postponed the end of the session.
  const { data } = useCall("auth.me", {});
  const end = (
    <span key="end">
      <Time at={data?.expiresAt ?? expiresAt} /> <span className="muted">{words.sessionMoves}</span>
    </span>
  );
  const { roles, roleMeans } = texts.users;
  const role = (
    <span key="role">
      {capitalized(roles[user.role])} <span className="muted">{roleMeans[user.role]}</span>
    </span>
  );
  return (
    <Page title={words.title}>
      <div className="card">
        <Facts
          facts={[
            [texts.users.username, user.username],
            [texts.users.displayName, user.displayName],
            [texts.users.role, role],
            [words.sessionEnds, end],
          ]}
        />
        <div className="row account-out">
          <SignOutButton kind="plain" />
          <span className="muted">{words.signOutSays}</span>
        </div>
      </div>
      <Section title={words.sessions.title}>
        <OwnSessions />
      </Section>
      <Section title={words.password.title}>
        <OwnPassword />
      </Section>
      <Section title={words.thisBrowser} card>
        <div className="account-language">
          <LanguageChoice />
        </div>
      </Section>
      <Section title={texts.shortcuts.title} card>
        <SingleKeys />
      </Section>
    </Page>
  );
}

function SingleKeys() {
  const { single, singleHint } = texts.shortcuts;
  return (
    <CheckField label={single} hint={singleHint} value={useSingleKeys()} onChange={setSingleKeys} />
  );
}

function OwnSessions() {
  const query = useCall("auth.sessions", {});
  const [ending, setEnding] = useState<Session | "others" | null>(null);
  const { endLabel, unknown, end, endOthers, title } = words.sessions;
  const act = (session: Session) =>
    !session.current && (
      <Button
        aria-label={endLabel({ from: session.ip ?? unknown })}
        onClick={() => setEnding(session)}
      >
        {end}
      </Button>
    );
  return (
    <Loaded query={query}>
      {(sessions) => (
        <>
          <Sessions label={title} sessions={sessions} act={act} />
          {sessions.length > 1 && (
            <p>
              <Button onClick={() => setEnding("others")}>{endOthers}</Button>
            </p>
          )}
          {ending !== null && <ConfirmEnd ending={ending} onClose={() => setEnding(null)} />}
        </>
      )}
    </Loaded>
  );
}

function ConfirmEnd({ ending, onClose }: { ending: Session | "others"; onClose: () => void }) {
  const { endOthers, endOthersTitle, endOthersSays, ...one } = words.sessions;
  const notify = useNotice();
  const isOthers = ending === "others";
  const { isPending, error, mutate } = useAct(
    isOthers ? "auth.end-other-sessions" : "auth.end-session",
    ({ ended }) => {
      notify(texts.users.ended({ sessions: ended }));
      onClose();
    },
  );
  return (
    <Confirm
      title={isOthers ? endOthersTitle : one.endTitle}
      verb={isOthers ? endOthers : one.end}
      busy={isPending}
      error={error}
      onConfirm={() => mutate(isOthers ? {} : { params: { sessionId: ending.id } })}
      onClose={onClose}
    >
      <p>{isOthers ? endOthersSays : one.endSays({ from: ending.ip ?? one.unknown })}</p>
    </Confirm>
  );
}

const noPasswords = { currentPassword: "", newPassword: "" };

function OwnPassword() {
  const notify = useNotice();
  const [draft, change] = useDraft({ ...noPasswords, endOtherSessions: true });
  const { current, next, endOthers, meanwhile, verb, done } = words.password;
  const { error, isPending, mutate } = useAct("auth.password", () => {
    change(noPasswords);
    notify(done);
  });
  const field = fieldsOf(draft, change, error);
  return (
    <form
      className="card account-password"
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ body: draft });
      }}
    >
      <TextField
        label={current}
        required
        type="password"
        autoComplete="current-password"
        {...field("currentPassword")}
      />
      <NewPassword label={next} {...field("newPassword")} />
      <CheckField label={endOthers} {...field("endOtherSessions")} />
      {conflictIn(error) && <Alert text={meanwhile} />}
      <FormFailure
        error={error}
        fields={["currentPassword", "newPassword"]}
        codes={["VERSION_CONFLICT"]}
      />
      <Button type="submit" kind="primary" busy={isPending}>
        {verb}
      </Button>
    </form>
  );
}
