// Requests for approval: those that wait for a decision, the user's own, and all of them.

import { useMay } from "../../client/session.ts";
import { Page } from "../../components/page.tsx";
import { Tabs, useTab } from "../../components/tabs.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { Inbox } from "./inbox.tsx";
import { MyRequests } from "./my-requests.tsx";

const words = texts.approvals.tabs;

const inbox = { key: "inbox", text: words.inbox } as const;
const mine = { key: "mine", text: words.mine } as const;
const all = { key: "all", text: words.all } as const;

export function Component() {
  // Viewers cannot request anything.
  const tabs = useMay("operator") ? [inbox, mine, all] : [inbox, all];
  const tab = useTab<"inbox" | "mine" | "all">(tabs);
  const noun = nouns.approvals;
  const bar = <Tabs label={words.label} tabs={tabs} />;
  if (tab === "all") return <NounList noun="approvals" above={bar} />;
  return (
    <Page title={noun.title} lead={noun.lead}>
      {bar}
      {tab === "mine" ? <MyRequests /> : <Inbox />}
    </Page>
  );
}
