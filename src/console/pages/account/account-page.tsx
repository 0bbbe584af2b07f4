// Who one is here, until when, and one's own password.

import { useState } from "react";
import { ApiError, issueOf } from "../../client/api-error.ts";
import { useAct, useCall } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { useNotice } from "../../components/notices.tsx";
import { Page, Section } from "../../components/page.tsx";
import { Field } from "../../fields/field.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { NewPassword } from "../../fields/new-password.tsx";
import { SignOutButton } from "../../shell/sign-out-button.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { Time } from "../../values/time.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import "./account.css";

const words = texts.account;

export function Component() {
  const { user, expiresAt } = useMe();
  // Use has moved the session's end on since the page was loaded.
  const { data } = useCall("auth.me", {});
  return (
    <Page title={words.title}>
      <div className="card">
        <Facts
          facts={[
            [texts.users.username, user.username],
            [texts.users.role, texts.users.roles[user.role]],
            [
              words.sessionEnds,
              <span key="end">
                <Time at={data?.expiresAt ?? expiresAt} />{" "}
                <span className="muted">{words.sessionMoves}</span>
              </span>,
            ],
          ]}
        />
        <p className="muted">{texts.users.roleMeans[user.role]}</p>
        <div className="row">
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
    </Page>
  );
}

function OwnPassword() {
  const tell = useNotice();
  const [endOtherSessions, setEndOthers] = useState(true);
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const change = useAct("auth.password", () => {
    setCurrent("");
    setNew("");
    tell(words.password.done);
  });
  const { error, isPending } = change;
  const isMeanwhile = error instanceof ApiError && error.code === "VERSION_CONFLICT";
  return (
    <form
      className="card account-password"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) change.mutate({ body: { currentPassword, newPassword, endOtherSessions } });
      }}
    >
      <Field label={words.password.current} error={issueOf(error, "currentPassword")} required>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="current-password"
            required
            value={currentPassword}
            onChange={(event) => setCurrent(event.target.value)}
          />
        )}
      </Field>
      <NewPassword
        label={words.password.next}
        value={newPassword}
        onChange={setNew}
        error={issueOf(error, "newPassword")}
      />
      <label>
        <input
          type="checkbox"
          checked={endOtherSessions}
          onChange={(event) => setEndOthers(event.target.checked)}
        />{" "}
        {words.password.endOthers}
      </label>
      {isMeanwhile && (
        <p className="field-error" role="alert">
          {words.password.meanwhile}
        </p>
      )}
      <FormFailure
        error={error}
        fields={["currentPassword", "newPassword"]}
        codes={["VERSION_CONFLICT"]}
      />
      <Button type="submit" kind="primary" busy={isPending}>
        {words.password.verb}
      </Button>
    </form>
  );
}
