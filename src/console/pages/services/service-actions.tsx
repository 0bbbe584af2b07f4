// A service's actions by category, in the agent's order. Each button opens the page of its action.

import { useState } from "react";
import { listedActions } from "../../../domain/fleet/services.ts";
import type { Reply } from "../../client/call.ts";
import { useMay } from "../../client/session.ts";
import { Button, ButtonLink } from "../../components/buttons/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { Section } from "../../components/page.tsx";
import { Cut } from "../../components/text/cut.tsx";
import { TextField } from "../../fields/inputs.tsx";
import { actionPath } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { DangerBadge } from "../../values/status-badge.tsx";

type ServiceDetail = Reply<"services.get">;
type Action = ServiceDetail["actions"][number];

/** If there are more actions, a search field appears, and the other actions are collapsed. */
const shownAtFirst = 10;

const words = texts.services.actions;

interface ServiceActionsProps {
  service: ServiceDetail;
  /** Undefined until the agent has been read. */
  agent: Reply<"agents.get"> | undefined;
}

export function ServiceActions({ service, agent }: ServiceActionsProps) {
  const actions = listedActions(service.actions);
  const [search, setSearch] = useState("");
  const [isWhole, setWhole] = useState(false);
  const mayRun = useMay("operator");
  const text = search.trim().toLowerCase();
  const found = actions.filter(({ label, name }) =>
    `${label} ${name}`.toLowerCase().includes(text),
  );
  const shown = isWhole || text !== "" ? found : found.slice(0, shownAtFirst);
  const hasCategories = actions.some(({ category }) => category !== null);
  const obstacle = mayRun && agent && obstacleOf(agent);
  return (
    <Section title={words.title}>
      {actions.length > 0 && !mayRun && <p className="muted">{words.forOperators}</p>}
      {obstacle && (
        <p className="card note" role="status">
          {obstacle}
        </p>
      )}
      {actions.length > shownAtFirst && (
        <search className="service-actions-search">
          <TextField label={words.find} type="search" value={search} onChange={setSearch} />
        </search>
      )}
      {found.length === 0 && <Empty>{actions.length === 0 ? words.empty : words.noneFound}</Empty>}
      {found.length > 0 && (
        <div className="card service-actions">
          {categoriesOf(shown).map(([category, group]) => (
            <ActionGroup
              key={category}
              title={hasCategories ? category || words.other : null}
              serviceId={service.id}
              actions={group}
              mayRun={mayRun}
            />
          ))}
          {text === "" && found.length > shownAtFirst && (
            <div>
              <Button aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
                {isWhole ? texts.words.showFewer : words.all({ many: found.length })}
              </Button>
            </div>
          )}
        </div>
      )}
    </Section>
  );
}

/** The server has sorted the actions by category. */
function categoriesOf(actions: readonly Action[]): [category: string, actions: Action[]][] {
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
    <div>
      {title !== null && <h3 className="muted small">{title}</h3>}
      <ul className="plain" aria-label={title ?? words.title}>
        {actions.map(({ name, label, description, dangerLevel }) => (
          <li key={name}>
            {mayRun ? (
              <ButtonLink
                to={actionPath(serviceId, name)}
                aria-label={texts.actions.runThis({ label })}
              >
                {label}
              </ButtonLink>
            ) : (
              <strong>{label}</strong>
            )}
            <span className="muted small">{description && <Cut>{description}</Cut>}</span>
            {dangerLevel !== "LOW" && <DangerBadge level={dangerLevel} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns why the server may refuse a run, or null if no reason is known. */
function obstacleOf({ status, token }: Reply<"agents.get">): string | null {
  if (status === "DISABLED") return words.agentDisabled;
  if (!token) return words.agentWithoutToken;
  return status === "OFFLINE" ? words.agentAway : null;
}
