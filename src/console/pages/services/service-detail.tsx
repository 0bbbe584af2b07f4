// One service, in tabs: what it is, how it is, how it is configured, what can be done with it and what was.

import { useState } from "react";
import { useParams } from "react-router";
import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { type Tab, Tabs, useTab } from "../../components/tabs.tsx";
import { AuditTrail } from "../../lists/audit-trail.tsx";
import { Loaded } from "../../lists/loaded.tsx";
import { RecentCommands } from "../../lists/recent-commands.tsx";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { MoveService } from "./move-service.tsx";
import { ServiceActions } from "./service-actions.tsx";
import { ServiceConfigs } from "./service-configs.tsx";
import { ServiceHealth } from "./service-health.tsx";
import { ServiceOverview } from "./service-overview.tsx";
import "./service-detail.css";

type ServiceDetail = Reply<"services.get">;
type TabKey = keyof typeof texts.services.tabs;

const words = texts.services;
/** Signs of life are too many for the live stream, and a status changes by mere time as well. */
const lookAgainMs = 10_000;
const rows = 20;

export function Component() {
  const { serviceId = "" } = useParams();
  const query = useCall("services.get", { params: { serviceId } }, { everyMs: lookAgainMs });
  const service = query.data;
  const tabs = tabsOf(service);
  const tab = useTab(tabs);
  const mayMove = useMay("operator");
  return (
    <Page
      title={service?.code ?? texts.words.service}
      badge={service && <StatusBadge status={service.status} />}
      lead={service?.name}
      parent={{ to: "/services", text: nouns.services.title }}
      actions={
        service && (
          <>
            {mayMove && <Move service={service} />}
            <NounActs noun="services" row={service} />
          </>
        )
      }
    >
      <Tabs label={words.tabsLabel} tabs={tabs} />
      <Loaded query={query}>{(loaded) => <TabContent tab={tab} service={loaded} />}</Loaded>
    </Page>
  );
}

function Move({ service }: { service: ServiceDetail }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.move.open}</Button>
      {isOpen && <MoveService service={service} onClose={() => setOpen(false)} />}
    </>
  );
}

function tabsOf(service: ServiceDetail | undefined): Tab<TabKey>[] {
  const counts: Partial<Record<TabKey, number>> = service
    ? { configs: service.configs.length, actions: service.actions.length }
    : {};
  return (Object.keys(words.tabs) as TabKey[]).map((key) => {
    const count = counts[key];
    const text = words.tabs[key];
    return { key, text: count === undefined ? text : words.counted(text, count) };
  });
}

function TabContent({ tab, service }: { tab: TabKey; service: ServiceDetail }) {
  switch (tab) {
    case "overview":
      return <ServiceOverview service={service} />;
    case "health":
      return <ServiceHealth service={service} />;
    case "configs":
      return <ServiceConfigs configs={service.configs} />;
    case "actions":
      return <ServiceActions service={service} />;
    case "commands":
      return <RecentCommands of={{ serviceId: service.id }} rows={rows} />;
    case "audit":
      return <AuditTrail targetId={service.id} rows={rows} />;
  }
}
