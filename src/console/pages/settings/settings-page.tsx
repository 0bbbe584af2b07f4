// Settings, in tabs: each role sees those that it may use.

import { hrefOf } from "../../client/call.ts";
import { useMay } from "../../client/session.ts";
import { Page } from "../../components/page.tsx";
import { Tabs, useTab } from "../../components/tabs.tsx";
import { texts } from "../../texts/index.ts";
import { BackupTab } from "./backup-tab.tsx";
import { DiagnosticsTab } from "./diagnostics-tab.tsx";
import { MaintenanceTab } from "./maintenance-tab.tsx";
import { MetricsTab } from "./metrics-tab.tsx";
import "./settings.css";

type TabKey = keyof typeof texts.settings.tabs;

const words = texts.settings;

const contents: Record<TabKey, () => React.ReactNode> = {
  maintenance: MaintenanceTab,
  diagnostics: DiagnosticsTab,
  metrics: MetricsTab,
  backup: BackupTab,
};

export function Component() {
  const isOperator = useMay("operator");
  const isOwner = useMay("owner");
  const keys: TabKey[] = [
    ...(isOperator ? (["maintenance"] as const) : []),
    "diagnostics",
    ...(isOwner ? (["metrics", "backup"] as const) : []),
  ];
  const tabs = keys.map((key) => ({ key, text: words.tabs[key] }));
  const Content = contents[useTab(tabs)];
  return (
    <Page
      title={words.title}
      actions={
        <a href={hrefOf("system.openapi", {})} target="_blank" rel="noreferrer">
          {words.api}
        </a>
      }
    >
      {tabs.length > 1 && <Tabs label={words.title} tabs={tabs} />}
      <Content />
    </Page>
  );
}
