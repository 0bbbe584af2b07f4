// Links to the service and the agent that an object names by id and code.

import { NounLink } from "./noun-link.tsx";

export function ServiceLink({ of }: { of: { serviceId: string; serviceCode: string } }) {
  return (
    <NounLink to="services" id={of.serviceId}>
      {of.serviceCode}
    </NounLink>
  );
}

export function AgentLink({ of }: { of: { agentId: string; agentCode: string } }) {
  return (
    <NounLink to="agents" id={of.agentId}>
      {of.agentCode}
    </NounLink>
  );
}
