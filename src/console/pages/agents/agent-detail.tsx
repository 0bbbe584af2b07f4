// One agent: whether it lives, whether its token works, its services, and what was done with it.

import { useParams } from "react-router";
import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { Page, Section } from "../../components/page.tsx";
import { AuditTrail } from "../../lists/audit-trail.tsx";
import { Loaded } from "../../lists/loaded.tsx";
import { RecentCommands } from "../../lists/recent-commands.tsx";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { Badge, StatusBadge } from "../../values/status-badge.tsx";
import { AgentFacts } from "./agent-facts.tsx";
import { AgentServices } from "./agent-services.tsx";
import { RefusedServices } from "./refused-services.tsx";

const words = texts.agents;
/** Signs of life are too many for the live stream. */
const lookAgainMs = 10_000;

export function Component() {
  const { agentId = "" } = useParams();
  const query = useCall("agents.get", { params: { agentId } }, { everyMs: lookAgainMs });
  const agent = query.data;
  return (
    <Page
      title={agent?.code ?? texts.words.agent}
      badge={agent && <States agent={agent} />}
      lead={agent?.name}
      parent={{ to: "/agents", text: nouns.agents.title }}
      actions={agent && <NounActs noun="agents" row={agent} />}
    >
      <Loaded query={query}>
        {(loaded) => (
          <>
            <AgentFacts agent={loaded} />
            <Section title={words.services}>
              <AgentServices services={loaded.services} />
            </Section>
            {loaded.refusedServices.length > 0 && (
              <Section title={words.refused}>
                <RefusedServices services={loaded.refusedServices} />
              </Section>
            )}
            <Section title={words.commands}>
              <RecentCommands of={{ agentId: loaded.id }} />
            </Section>
            <Section title={words.audit}>
              <AuditTrail targetId={loaded.id} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function States({ agent: { status, token } }: { agent: Reply<"agents.get"> }) {
  return (
    <>
      <StatusBadge status={status} />
      {!token && <Badge tone="bad">{words.withoutToken}</Badge>}
    </>
  );
}
