// The page of one service.

import { useState } from "react";
import { useParams } from "react-router";
import type { Reply } from "../../client/call.ts";
import { useAct, useCall, usePage } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { useNotice } from "../../components/notices.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { ChoiceField } from "../../fields/inputs.tsx";
import { EditLabels } from "../../nouns/edit-labels.tsx";
import { NounPage } from "../../nouns/noun-page.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { ServiceOverview } from "./service-overview.tsx";
import "./service-page.css";

type ServiceDetail = Reply<"services.get">;
const words = texts.services;
/** Polls because the live stream does not report heartbeats, and statuses change as time passes. */
const refetchMs = 10_000;

export function Component() {
  const { serviceId = "" } = useParams();
  const query = useCall("services.get", { params: { serviceId } }, { everyMs: refetchMs });
  const service = query.data;
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
    >
      {(each) => <ServiceOverview service={each} />}
    </NounPage>
  );
}

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
  const notify = useNotice();
  const move = useAct("services.move", ({ agentCode }) => {
    onClose();
    notify(done({ code, agent: agentCode }));
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
