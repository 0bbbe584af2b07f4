// Services that an agent reports and another one has.

import type { Reply } from "../../client/call.ts";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";

type Refused = Reply<"agents.get">["refusedServices"][number];

const words = texts.agents;

export function RefusedServices({ services }: { services: Refused[] }) {
  return (
    <div className="card">
      <p className="muted small">{words.refusedMeaning}</p>
      <ul aria-label={words.refused}>
        {services.map(({ serviceId, serviceCode, agentId, agentCode, since }) => (
          <li key={serviceId}>
            <NounLink to="services" id={serviceId}>
              {serviceCode}
            </NounLink>{" "}
            {words.belongsTo}{" "}
            <NounLink to="agents" id={agentId}>
              {agentCode}
            </NounLink>
            ; {words.refusedSince} <Time at={since} />
          </li>
        ))}
      </ul>
    </div>
  );
}
