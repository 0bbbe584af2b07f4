import { useMay } from "../../client/session.ts";
import { Page } from "../../components/page.tsx";
import { Tabs, useTab } from "../../components/tabs.tsx";
import { texts } from "../../texts/index.ts";
import { AboutTab } from "./about-tab.tsx";
import { BackupTab } from "./backup-tab.tsx";
import { DiagnosticsTab } from "./diagnostics-tab.tsx";
import { MaintenanceTab } from "./maintenance-tab.tsx";
import { MetricsTab } from "./metrics-tab.tsx";
import { NodesTab } from "./nodes-tab.tsx";
import "./settings.css";

const words = texts.settings;

export function Component() {
  const isOperator = useMay("operator");
  const isOwner = useMay("owner");
  const tabs = [
    { key: "maintenance", Content: MaintenanceTab, isShown: isOperator },
    { key: "diagnostics", Content: DiagnosticsTab, isShown: true },
    { key: "nodes", Content: NodesTab, isShown: true },
    { key: "metrics", Content: MetricsTab, isShown: isOwner },
    { key: "backup", Content: BackupTab, isShown: isOwner },
    { key: "about", Content: AboutTab, isShown: true },
  ] as const;
  const shown = tabs
    .filter(({ isShown }) => isShown)
    .map((tab) => ({ ...tab, text: words.tabs[tab.key] }));
  const current = useTab(shown);
  const { Content } = tabs.find(({ key }) => key === current) ?? tabs[1];
  return (
    <Page title={words.title}>
      {shown.length > 1 && <Tabs label={words.title} tabs={shown} />}
      <Content />
    </Page>
  );
}
