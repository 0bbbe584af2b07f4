// The login, for those whom nobody knows yet; then back to where they wanted to be.

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Navigate, useSearchParams } from "react-router";
import { ApiError } from "../../client/api-error.ts";
import { signIn, useSession } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Field } from "../../fields/field.tsx";
import { texts } from "../../texts/index.ts";
import { nextPlace } from "./next-place.ts";
import "./login-page.css";

export function LoginPage() {
  const session = useSession();
  const [query] = useSearchParams();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const isShown = session.kind !== "signedIn";
  useEffect(() => {
    if (isShown) nameField.current?.focus();
  }, [isShown]);
  useEffect(() => {
    document.title = `${texts.login.title} · ${texts.shell.product}`;
  }, []);
  if (session.kind === "signedIn")
    return <Navigate to={nextPlace(query.get("next"), location.origin)} replace />;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const given = new FormData(event.currentTarget);
    setBusy(true);
    setError(null);
    try {
      await signIn(String(given.get("username")).trim(), String(given.get("password")));
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const isOver = session.kind === "anonymous" && session.since === "end";
  const isWrong = error instanceof ApiError && error.code === "UNAUTHORIZED";
  return (
    <main className="login">
      <form className="card" onSubmit={(event) => void submit(event)}>
        <p className="login-product">{texts.shell.product}</p>
        <h1>{texts.login.title}</h1>
        {isOver && <p role="status">{texts.login.sessionOver}</p>}
        <Field label={texts.login.username}>
          {(control) => (
            <input
              {...control}
              ref={nameField}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              maxLength={200}
            />
          )}
        </Field>
        <Field label={texts.login.password}>
          {(control) => (
            <input
              {...control}
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
          )}
        </Field>
        {isWrong ? (
          <p className="field-error" role="alert">
            {texts.login.wrong}
          </p>
        ) : (
          <Failure error={error} />
        )}
        <Button type="submit" kind="primary" busy={isBusy}>
          {texts.login.submit}
        </Button>
      </form>
    </main>
  );
}
