// Services that an agent reports and another one has.

import type { Reply } from "../../client/call.ts";
import { texts } from "../../texts/index.ts";
import { AgentLink, ServiceLink } from "../../values/links.tsx";
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
            <ServiceLink id={serviceId}>{serviceCode}</ServiceLink> {words.belongsTo}{" "}
            <AgentLink id={agentId}>{agentCode}</AgentLink>; {words.refusedSince}{" "}
            <Time at={since} />
          </li>
        ))}
      </ul>
    </div>
  );
}
