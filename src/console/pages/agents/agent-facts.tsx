// What an agent is, and in words what its state means.

import { Link } from "react-router";
import type { Reply } from "../../client/call.ts";
import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { JsonView } from "../../values/json-view.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { newTokenAddress } from "../registration-tokens/addresses.ts";
import "./agent-detail.css";

type AgentDetail = Reply<"agents.get">;

const words = texts.agents;

export function AgentFacts({ agent }: { agent: AgentDetail }) {
  return (
    <>
      <div className="agent-states">
        <section className="card" aria-label={words.life}>
          <h2>{words.life}</h2>
          <p className="agent-state">
            <StatusBadge status={agent.status} />
            <Time at={agent.lastHeartbeatAt} />
          </p>
          {agent.disabledAt && (
            <p>
              {words.disabledSince} <Time at={agent.disabledAt} />
            </p>
          )}
          <p className="muted small">{words.meaning[agent.offlineReason ?? "ONLINE"]}</p>
        </section>
        <TokenState agent={agent} />
      </div>
      <div className="card">
        <Facts
          facts={[
            [words.mode, agent.mode],
            [texts.words.version, agent.version],
            [words.registered, <Time key="registered" at={agent.registeredAt} />],
            [words.labels, labelLinks(agent.labels)],
            [texts.words.id, <code key="id">{agent.id}</code>],
            [texts.words.runtime, typeof agent.runtime === "string" && agent.runtime],
          ]}
        />
        {agent.runtime !== null && typeof agent.runtime !== "string" && (
          <div className="agent-runtime">
            <h3>{texts.words.runtime}</h3>
            <JsonView value={agent.runtime} label={texts.words.runtime} />
          </div>
        )}
      </div>
    </>
  );
}

function TokenState({ agent: { token } }: { agent: AgentDetail }) {
  const mayCreateToken = useMay("operator");
  return (
    <section className="card" aria-label={words.token}>
      <h2>{words.token}</h2>
      <p className="agent-state">
        <StatusBadge status={token ? "ACTIVE" : "REVOKED"} />
        {token && (
          <span>
            {words.tokenSince} <Time at={token.createdAt} />
          </span>
        )}
      </p>
      {!token && <p className="muted small">{words.tokenRevokedMeaning}</p>}
      {!token && mayCreateToken && (
        <ButtonLink to={newTokenAddress}>{texts.registrationTokens.create}</ButtonLink>
      )}
    </section>
  );
}

/** Each leads to all agents that have it; null where there are none. */
function labelLinks(labels: Record<string, string>) {
  const all = Object.entries(labels).map(([key, value]) => `${key}:${value}`);
  if (all.length === 0) return null;
  return (
    <ul className="agent-labels">
      {all.map((label) => (
        <li key={label}>
          <Link to={`/agents?${new URLSearchParams({ label })}`}>{label}</Link>
        </li>
      ))}
    </ul>
  );
}
