// The sign-in page. After signing in, users get to the page that they requested.

import { useEffect, useRef } from "react";
import { Navigate, useSearchParams } from "react-router";
import { ApiError } from "../../client/api-error.ts";
import { signIn, useSession } from "../../client/session.ts";
import { useSingleMutation } from "../../client/use-single-mutation.ts";
import { Button } from "../../components/buttons/button.tsx";
import { showInTab } from "../../components/document-title.ts";
import { Alert, Failure } from "../../components/failure.tsx";
import { Field } from "../../fields/field.tsx";
import { LanguageChoice } from "../../shell/language-choice.tsx";
import { texts } from "../../texts/index.ts";
import "./login-page.css";

const words = texts.login;

export function LoginPage() {
  const session = useSession();
  const [query] = useSearchParams();
  const form = useRef<HTMLFormElement>(null);
  const { error, isPending, mutate } = useSingleMutation<void>({
    // Reads the fields here, because a mutation keeps its input for as long as its error is shown.
    mutationFn() {
      const given = new FormData(form.current ?? undefined);
      return signIn(String(given.get("username")).trim(), String(given.get("password")));
    },
  });
  const nameField = useRef<HTMLInputElement>(null);
  const isSignedIn = session.kind === "signedIn";
  useEffect(() => {
    if (!isSignedIn) nameField.current?.focus();
  }, [isSignedIn]);
  useEffect(() => {
    showInTab({ page: words.title, workspace: null });
  }, []);
  if (isSignedIn) return <Navigate to={nextPlace(query.get("next"), location.origin)} replace />;

  const isOver = session.kind === "anonymous" && session.since === "end";
  const isWrong = error instanceof ApiError && error.code === "UNAUTHORIZED";
  return (
    <main className="login">
      <form
        ref={form}
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <p className="login-product muted">{texts.login.product}</p>
        <h1>{words.title}</h1>
        {isOver && <p role="status">{words.sessionOver}</p>}
        <Field label={texts.users.username}>
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
        <Field label={texts.users.password}>
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
        {isWrong ? <Alert text={words.wrong} /> : <Failure error={error} />}
        <Button type="submit" kind="primary" busy={isPending}>
          {words.title}
        </Button>
        <LanguageChoice />
      </form>
    </main>
  );
}

/** Returns `next` if it is a path in this console, otherwise the path of the overview. */
export function nextPlace(next: string | null, origin: string): string {
  if (!next?.startsWith("/") || !URL.canParse(next, origin)) return "/";
  // Parses the path as the browser does, without tabs and with `.` and `..` resolved.
  const { origin: ofNext, pathname, search, hash } = new URL(next, origin);
  if (ofNext !== origin || pathname.startsWith("//")) return "/";
  return pathname + search + hash;
}
