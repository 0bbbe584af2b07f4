// What stands in the place of a page that failed. When its file did not come, the server tells why: it is
// away, has another console now, whose files have other names, or is back with the same one.

import { useRouteError } from "react-router";
import { Button } from "../components/button.tsx";
import { Page } from "../components/page.tsx";
import { texts } from "../texts/index.ts";
import { useServedConsole } from "./loaded-console.ts";
import { PageNotLoaded } from "./page-not-loaded.ts";

export function Broken() {
  const error = useRouteError();
  if (error instanceof PageNotLoaded) return <NotLoaded error={error} />;
  return (
    <Told
      words={texts.shell.broken}
      particulars={error instanceof Error ? error.message : String(error)}
    />
  );
}

function NotLoaded({ error }: { error: PageNotLoaded }) {
  const served = useServedConsole(error);
  const { newer, notLoaded } = texts.shell;
  if (served === "newer") return <Told words={newer} />;
  const text = served === null ? texts.words.loading : notLoaded[served];
  return <Told words={{ title: notLoaded.title, text }} />;
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
