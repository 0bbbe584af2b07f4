// The page of one service. The first tab shows the most important facts, and the others the rest.

import { type ReactNode, useState } from "react";
import { useParams } from "react-router";
import { listedActions } from "../../../domain/services.ts";
import type { Reply } from "../../client/call.ts";
import { useAct, useCall, usePage } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { useNotice } from "../../components/notices.tsx";
import { Tabs, useTab } from "../../components/tabs.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { ChoiceField } from "../../fields/inputs.tsx";
import { AuditTrail } from "../../lists/audit-trail.tsx";
import { RecentCommands } from "../../lists/recent-commands.tsx";
import { EditLabels } from "../../nouns/edit-labels.tsx";
import { NounPage } from "../../nouns/noun-page.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { ServiceActions } from "./service-actions.tsx";
import { ServiceConfigs } from "./service-configs.tsx";
import { ServiceHealth } from "./service-health.tsx";
import { ServiceOverview } from "./service-overview.tsx";
import "./service-detail.css";

type ServiceDetail = Reply<"services.get">;
type TabKey = keyof typeof texts.services.tabs;

const words = texts.services;
/** Polls because the live stream carries no heartbeats, and a status can change as time passes. */
const refetchMs = 10_000;
const rows = 20;

export function Component() {
  const { serviceId = "" } = useParams();
  const query = useCall("services.get", { params: { serviceId } }, { everyMs: refetchMs });
  const service = query.data;
  const tabs = (Object.keys(words.tabs) as TabKey[]).map((key) => {
    const text = words.tabs[key];
    const count = service && counts[key]?.(service);
    return { key, text: count === undefined ? text : words.counted({ text, many: count }) };
  });
  const tab = useTab(tabs);
  const mayMove = useMay("operator");
  return (
    <NounPage
      noun={nouns.services}
      query={query}
      actions={
        service && (
          <>
            <EditLabels noun="services" item={service} />
            {mayMove && (
              <DialogButton text={words.move.open}>
                {(close) => <MoveService service={service} onClose={close} />}
              </DialogButton>
            )}
          </>
        )
      }
      above={(service || !query.error) && <Tabs label={words.tabsLabel} tabs={tabs} />}
    >
      {contents[tab]}
    </NounPage>
  );
}

const counts: Partial<Record<TabKey, (service: ServiceDetail) => number>> = {
  configs: ({ configs }) => configs.length,
  actions: ({ actions }) => listedActions(actions).length,
};

const contents: Record<TabKey, (service: ServiceDetail) => ReactNode> = {
  overview: (service) => <ServiceOverview service={service} />,
  health: (service) => <ServiceHealth service={service} />,
  configs: ({ configs }) => <ServiceConfigs configs={configs} />,
  actions: (service) => <ServiceActions service={service} />,
  commands: ({ id }) => <RecentCommands of={{ serviceId: id }} rows={rows} />,
  audit: ({ id }) => <AuditTrail targetId={id} rows={rows} />,
};

const offered = 200;

/** Agents that already report the service are listed first. */
function MoveService({ service, onClose }: { service: ServiceDetail; onClose: () => void }) {
  const { id, code, agentId: current, claims } = service;
  const { title, verb, agentHint, more, choose, claims: reports, done } = words.move;
  const [agentId, setAgentId] = useState("");
  const online = usePage("agents.list", { query: { status: "ONLINE", pageSize: offered } });
  const reporting = claims.map((claim) => claim.agentId);
  const others = (online.data?.data ?? []).filter(
    (other) => other.id !== current && !reporting.includes(other.id),
  );
  const isCut = (online.data?.pagination.total ?? 0) > offered;
  const tell = useNotice();
  const move = useAct("services.move", ({ agentCode }) => {
    onClose();
    tell(done({ code, agent: agentCode }));
  });
  return (
    <FormDialog
      title={title({ code })}
      verb={verb}
      busy={move.isPending}
      onSubmit={() => move.mutate({ params: { serviceId: id }, body: { agentId } })}
      onClose={onClose}
    >
      <ChoiceField
        label={texts.words.agent}
        hint={isCut ? `${agentHint} ${more({ many: offered })}` : agentHint}
        required
        value={agentId}
        onChange={setAgentId}
        options={[
          ["", choose],
          ...claims.map((claim) => [claim.agentId, reports({ code: claim.agentCode })] as const),
          ...others.map((other) => [other.id, other.code] as const),
        ]}
      />
      <FormFailure error={online.error ?? move.error} fields={[]} />
    </FormDialog>
  );
}
