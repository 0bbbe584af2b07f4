// What can be done with a service; operators go on from here to run it.

import { useState } from "react";
import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { Field } from "../../fields/field.tsx";
import { actionPath } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { DangerBadge } from "../../values/danger-badge.tsx";

type ServiceDetail = Reply<"services.get">;
type Action = ServiceDetail["actions"][number];

/** Fewer are seen at a glance. */
const searchFrom = 10;

const words = texts.services.actions;

export function ServiceActions({ service }: { service: ServiceDetail }) {
  const { id, agentId, actions } = service;
  const [sought, setSought] = useState("");
  const mayRun = useMay("operator");
  const { data: agent } = useCall("agents.get", { params: { agentId } }, { enabled: mayRun });
  if (actions.length === 0) return <Empty>{words.empty}</Empty>;
  const shown = actions.filter((action) => fits(action, sought));
  const obstacle = agent && obstacleOf(agent);
  return (
    <>
      {!mayRun && <p className="muted">{words.forOperators}</p>}
      {obstacle && (
        <p className="service-obstacle" role="status">
          {obstacle}
        </p>
      )}
      {actions.length >= searchFrom && (
        <search className="service-actions-search">
          <Field label={words.find}>
            {(control) => (
              <input
                {...control}
                type="search"
                value={sought}
                onChange={(event) => setSought(event.target.value)}
              />
            )}
          </Field>
        </search>
      )}
      {shown.length === 0 && <Empty>{words.noneFound}</Empty>}
      <ul className="service-actions" aria-label={words.label}>
        {shown.map((action) => (
          <li key={action.name} className="card">
            <ActionCard action={action} {...(mayRun && { to: actionPath(id, action.name) })} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** `to` is where it is run; absent for those who may not. */
function ActionCard({ action, to }: { action: Action; to?: string }) {
  const { name, label, description, dangerLevel, requiresConfirmation, timeoutSeconds } = action;
  return (
    <>
      <h2>{label}</h2>
      <code className="muted small">{name}</code>
      {description && <p>{description}</p>}
      <p className="row small">
        <DangerBadge level={dangerLevel} />
        {requiresConfirmation && <span className="muted">{words.confirmed}</span>}
        {timeoutSeconds !== null && <span className="muted">{words.timeout(timeoutSeconds)}</span>}
      </p>
      {to && (
        <ButtonLink to={to} aria-label={texts.actions.runThis(label)}>
          {words.run}
        </ButtonLink>
      )}
    </>
  );
}

function fits({ name, label }: Action, sought: string): boolean {
  return `${label} ${name}`.toLowerCase().includes(sought.trim().toLowerCase());
}

/** Why a run may fail before it begins; null when nothing is known to be in its way. */
function obstacleOf({ status, token }: Reply<"agents.get">): string | null {
  if (status === "DISABLED") return words.agentDisabled;
  if (!token) return words.agentWithoutToken;
  return status === "OFFLINE" ? words.agentAway : null;
}
