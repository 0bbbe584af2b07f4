// The cells of the health map. Only changed cells are rendered again.

import { memo, useMemo } from "react";
import { Cell, CellField } from "../../../components/cells/cell-field.tsx";
import { Cut } from "../../../components/text/cut.tsx";
import { statusText } from "../../../format/status.ts";
import { addressOf } from "../../../nouns/addresses.ts";
import { texts } from "../../../texts/index.ts";
import { StatusBadge, StatusWord } from "../../../values/status-badge.tsx";
import type { AgentCells } from "./map-filter.ts";

const { cell } = texts.overview.map;
const { comma } = texts.words;

export function MapCells({ agents }: { agents: readonly AgentCells[] }) {
  const agentOf = useMemo(
    () => new Map(agents.flatMap((agent) => agent.services.map(({ id }) => [id, agent] as const))),
    [agents],
  );
  return (
    <CellField
      first={agents[0]?.services[0]?.id}
      has={(id) => agentOf.has(id)}
      tip={(id) => tipOf(id, agentOf.get(id))}
    >
      {(stop) =>
        agents.map((agent) => {
          const isThere = stop !== undefined && agent === agentOf.get(stop);
          return <AgentGroup key={agent.id} agent={agent} stop={isThere ? stop : undefined} />;
        })
      }
    </CellField>
  );
}

interface AgentGroupProps {
  agent: AgentCells;
  /** The service whose cell the Tab key reaches, if that service belongs to this agent. */
  stop: string | undefined;
}

const AgentGroup = memo(function AgentGroup({ agent, stop }: AgentGroupProps) {
  const { id, code, status, services } = agent;
  return (
    <div className="map-agent">
      <p className="small" id={`${id}-name`}>
        <span className="map-agent-code" title={code}>
          {code}
        </span>
        {status !== "ONLINE" && (
          <span className="muted">
            {" "}
            <StatusWord status={status} />
          </span>
        )}
      </p>
      <ul className="row plain" aria-labelledby={`${id}-name`}>
        {services.map(({ id, code, name, status, healthMessage }) => (
          <Cell
            key={id}
            id={id}
            to={addressOf("services", id)}
            state={status}
            label={[cell({ code, name, status: statusText(status) }), healthMessage]
              .filter(Boolean)
              .join(comma)}
            isStop={id === stop}
          />
        ))}
      </ul>
    </div>
  );
});

function tipOf(id: string, agent: AgentCells | undefined) {
  const service = agent?.services.find((each) => each.id === id);
  if (!agent || !service) return null;
  return (
    <>
      <p>
        <strong>{service.code}</strong> <StatusBadge status={service.status} />
      </p>
      <p>{service.name}</p>
      {service.healthMessage && (
        <p>
          <Cut>{service.healthMessage}</Cut>
        </p>
      )}
      <p className="muted small">
        {agent.name ? `${agent.code} · ${agent.name}` : agent.code}
        {agent.status !== "ONLINE" && (
          <>
            {" · "}
            <StatusWord status={agent.status} />
          </>
        )}
      </p>
    </>
  );
}
