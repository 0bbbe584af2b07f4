// Links to the service and the agent of an object, from the ids and codes that it contains.

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
