// Links to the page of an agent, a service or a command. Without words of their own they show the id.

import type { ReactNode } from "react";
import { Link } from "react-router";
import { useCall } from "../client/queries.ts";
import { shortId } from "../format/ids.ts";

interface LinkProps {
  id: string;
  className?: string;
  title?: string;
  children?: ReactNode;
}

export function AgentLink({ id, children = id, ...rest }: LinkProps) {
  return (
    <Link to={`/agents/${id}`} {...rest}>
      {children}
    </Link>
  );
}

/** Where only the id of an agent is known: asks for its code. */
export function AgentCodeLink({ id }: { id: string }) {
  const { data: agent } = useCall("agents.get", { params: { agentId: id } });
  return (
    <AgentLink id={id} title={id}>
      {agent?.code ?? shortId(id)}
    </AgentLink>
  );
}

export function ServiceLink({ id, children = id, ...rest }: LinkProps) {
  return (
    <Link to={`/services/${id}`} {...rest}>
      {children}
    </Link>
  );
}

export function CommandLink({ id, children = id, ...rest }: LinkProps) {
  return (
    <Link to={`/commands/${id}`} {...rest}>
      {children}
    </Link>
  );
}

/** Where an action of a service is run. */
export function actionPath(serviceId: string, action: string): string {
  return `/services/${serviceId}/actions/${encodeURIComponent(action)}`;
}
