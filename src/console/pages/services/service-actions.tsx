// A service's actions, which operators can open.

import { useState } from "react";
import { listedActions } from "../../../domain/services.ts";
import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { TextField } from "../../fields/inputs.tsx";
import { actionPath } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { DangerBadge } from "../../values/status-badge.tsx";

type ServiceDetail = Reply<"services.get">;
type Action = ServiceDetail["actions"][number];

/** The search field is shown only if there are at least this many actions. */
const searchFrom = 10;

const words = texts.services.actions;

export function ServiceActions({ service }: { service: ServiceDetail }) {
  const { id, agentId } = service;
  const actions = listedActions(service.actions);
  const [search, setSearch] = useState("");
  const mayRun = useMay("operator");
  const { data: agent } = useCall("agents.get", { params: { agentId } }, { enabled: mayRun });
  if (actions.length === 0) return <Empty>{words.empty}</Empty>;
  const text = search.trim().toLowerCase();
  const shown = actions.filter(({ label, name }) =>
    `${label} ${name}`.toLowerCase().includes(text),
  );
  const obstacle = agent && obstacleOf(agent);
  const hasCategories = shown.some(({ category }) => category !== null);
  return (
    <>
      {!mayRun && <p className="muted">{words.forOperators}</p>}
      {obstacle && (
        <p className="card note" role="status">
          {obstacle}
        </p>
      )}
      {actions.length >= searchFrom && (
        <search className="service-actions-search">
          <TextField label={words.find} type="search" value={search} onChange={setSearch} />
        </search>
      )}
      {shown.length === 0 && <Empty>{words.noneFound}</Empty>}
      {categoriesOf(shown).map(([category, group]) => (
        <ActionGroup
          key={category}
          title={hasCategories ? category || words.other : null}
          serviceId={id}
          actions={group}
          mayRun={mayRun}
        />
      ))}
    </>
  );
}

/** The server has sorted the actions by category. */
export function categoriesOf(actions: readonly Action[]): [category: string, actions: Action[]][] {
  return [...Map.groupBy(actions, ({ category }) => category ?? "")];
}

interface ActionGroupProps {
  /** Null if the service has no categories. */
  title: string | null;
  serviceId: string;
  actions: readonly Action[];
  mayRun: boolean;
}

function ActionGroup({ title, serviceId, actions, mayRun }: ActionGroupProps) {
  return (
    <section aria-label={title ?? undefined}>
      {title !== null && <h2 className="service-category">{title}</h2>}
      <ul
        className="service-actions columns plain tight"
        aria-label={title ?? texts.services.tabs.actions}
      >
        {actions.map((action) => (
          <li key={action.name} className="card">
            <ActionText action={action} isInGroup={title !== null} />
            {mayRun && (
              <ButtonLink
                to={actionPath(serviceId, action.name)}
                aria-label={texts.actions.runThis({ label: action.label })}
              >
                {words.run}
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ActionText({ action, isInGroup }: { action: Action; isInGroup: boolean }) {
  const { name, label, description, dangerLevel, requiresConfirmation, timeoutSeconds } = action;
  return (
    <>
      {isInGroup ? <h3>{label}</h3> : <h2>{label}</h2>}
      <code className="muted small">{name}</code>
      {description && <p>{description}</p>}
      <p className="row small">
        <DangerBadge level={dangerLevel} />
        {requiresConfirmation && <span className="muted">{words.confirmed}</span>}
        {timeoutSeconds !== null && (
          <span className="muted">{words.timeout({ seconds: timeoutSeconds })}</span>
        )}
      </p>
    </>
  );
}

/** Returns why the server may refuse a run, or null if no reason is known. */
export function obstacleOf({ status, token }: Reply<"agents.get">): string | null {
  if (status === "DISABLED") return words.agentDisabled;
  if (!token) return words.agentWithoutToken;
  return status === "OFFLINE" ? words.agentAway : null;
}
