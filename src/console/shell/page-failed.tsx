// Shown in place of a page that failed. If the page's file did not load, the server may be down, or
// may have a newer console whose files have other names.

import { useEffect, useState } from "react";
import { useRouteError } from "react-router";
import { Button } from "../components/buttons/button.tsx";
import { Page } from "../components/page.tsx";
import { texts } from "../texts/index.ts";
import { PageNotLoaded, useServedConsole } from "./loaded-console.ts";

export function Broken() {
  const error = useRouteError();
  if (error instanceof PageNotLoaded) return <NotLoaded />;
  const details = error instanceof Error ? error.message : String(error);
  return <Message {...texts.shell.broken} details={details} />;
}

function NotLoaded() {
  const served = useServedConsole();
  const [wasAway, setWasAway] = useState(false);
  if (served === "away" && !wasAway) setWasAway(true);
  const isBack = wasAway && served !== undefined && served !== "away";
  useEffect(() => {
    if (isBack) location.reload();
  }, [isBack]);
  const { newer, notLoaded } = texts.shell;
  if (served === "newer") return <Message {...newer} />;
  const text = served === undefined ? texts.words.loading : notLoaded[served];
  // While the server is away, reloading would only show the browser's error page.
  return <Message title={notLoaded.title} text={text} isHeld={served === "away"} />;
}

interface MessageProps {
  title: string;
  text: string;
  details?: string;
  /** Disables the button, because reloading the page cannot help yet. */
  isHeld?: boolean;
}

function Message({ title, text, details, isHeld = false }: MessageProps) {
  return (
    <Page title={title} lead={text}>
      {details && <p className="muted small">{details}</p>}
      {!isHeld && (
        <Button kind="primary" onClick={() => location.reload()}>
          {texts.shell.broken.reload}
        </Button>
      )}
    </Page>
  );
}
