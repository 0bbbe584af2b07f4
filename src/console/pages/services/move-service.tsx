// Gives a service to another agent that is online; those that report it already come first.

import { useState } from "react";
import type { Reply } from "../../client/call.ts";
import { useAct, usePage } from "../../client/queries.ts";
import { useNotice } from "../../components/notices.tsx";
import { Field } from "../../fields/field.tsx";
import { FormDialog } from "../../fields/form-dialog.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { texts } from "../../texts/index.ts";

type ServiceDetail = Reply<"services.get">;

const words = texts.services.move;
const offered = 200;

interface MoveServiceProps {
  service: ServiceDetail;
  onClose: () => void;
}

export function MoveService({ service, onClose }: MoveServiceProps) {
  const { id, code, agentId: present, claims } = service;
  const [agentId, setAgentId] = useState("");
  const online = usePage("agents.list", { query: { status: "ONLINE", pageSize: offered } });
  const claimants = new Set(claims.map((claim) => claim.agentId));
  const others = (online.data?.data ?? []).filter((agent) => {
    return agent.id !== present && !claimants.has(agent.id);
  });
  const isCut = (online.data?.pagination.total ?? 0) > offered;
  const tell = useNotice();
  const move = useAct("services.move", ({ agentCode }: ServiceDetail) => {
    onClose();
    tell(words.done(code, agentCode));
  });
  return (
    <FormDialog
      title={words.title(code)}
      verb={words.verb}
      busy={move.isPending}
      onSubmit={() => move.mutate({ params: { serviceId: id }, body: { agentId } })}
      onClose={onClose}
    >
      <Field
        label={words.agent}
        hint={isCut ? `${words.agentHint} ${words.more(offered)}` : words.agentHint}
        required
      >
        {(control) => (
          <select
            {...control}
            required
            value={agentId}
            onChange={({ target }) => setAgentId(target.value)}
          >
            <option value="">{words.choose}</option>
            {claims.map((claim) => (
              <option key={claim.agentId} value={claim.agentId}>
                {words.claims(claim.agentCode)}
              </option>
            ))}
            {others.map((agent) => (
              <option key={agent.id} value={agent.id}>
                {agent.code}
              </option>
            ))}
          </select>
        )}
      </Field>
      <FormFailure error={online.error ?? move.error} fields={[]} />
    </FormDialog>
  );
}
