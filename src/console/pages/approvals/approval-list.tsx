// Requests for approval: those that wait for a decision, and all of them.

import { Page } from "../../components/page.tsx";
import { Tabs, useTab } from "../../components/tabs.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { Inbox } from "./inbox.tsx";

const words = texts.approvals.tabs;

const tabs = [
  { key: "inbox", text: words.inbox },
  { key: "all", text: words.all },
] as const;

export function Component() {
  const tab = useTab(tabs);
  const noun = nouns.approvals;
  const bar = <Tabs label={words.label} tabs={tabs} />;
  if (tab === "all") return <NounList noun="approvals" above={bar} />;
  return (
    <Page title={noun.title} lead={noun.lead}>
      {bar}
      <Inbox />
    </Page>
  );
}
