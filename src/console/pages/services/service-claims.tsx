// Agents that report a service which another one has.

import type { Reply } from "../../client/call.ts";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";

type Claim = Reply<"services.get">["claims"][number];

const words = texts.services;

export function ServiceClaims({ claims }: { claims: Claim[] }) {
  return (
    <div className="card">
      <p className="muted small">{words.claimsMeaning}</p>
      <ul aria-label={words.claims}>
        {claims.map(({ agentId, agentCode, since }) => (
          <li key={agentId}>
            <NounLink to="agents" id={agentId}>
              {agentCode}
            </NounLink>{" "}
            {words.alsoReports} <Time at={since} />
          </li>
        ))}
      </ul>
    </div>
  );
}
