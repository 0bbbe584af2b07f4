// What stands in the place of a page that failed. When its file did not come, the server tells why: one
// that answers has a newer console, whose files have other names.

import { useRouteError } from "react-router";
import { useCall } from "../client/queries.ts";
import { Button } from "../components/button.tsx";
import { Page } from "../components/page.tsx";
import { texts } from "../texts/index.ts";
import { PageNotLoaded } from "./page-not-loaded.ts";

export function Broken() {
  const error = useRouteError();
  if (error instanceof PageNotLoaded) return <NotLoaded />;
  return (
    <Told
      words={texts.shell.broken}
      particulars={error instanceof Error ? error.message : String(error)}
    />
  );
}

function NotLoaded() {
  const { isSuccess, isError } = useCall("system.version", {});
  const { broken, newer, notLoaded } = texts.shell;
  if (isSuccess) return <Told words={newer} />;
  return <Told words={isError ? notLoaded : { title: broken.title, text: texts.words.loading }} />;
}

function Told({
  words: { title, text },
  particulars,
}: {
  words: { title: string; text: string };
  particulars?: string;
}) {
  return (
    <Page title={title} lead={text}>
      {particulars && <p className="muted small">{particulars}</p>}
      <Button kind="primary" onClick={() => location.reload()}>
        {texts.shell.broken.reload}
      </Button>
    </Page>
  );
}
