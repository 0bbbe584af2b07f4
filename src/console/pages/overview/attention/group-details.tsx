// What a group's services have in common, and the services themselves.

import { useState } from "react";
import { useCall } from "../../../client/queries.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Sentence } from "../../../components/text/sentence.tsx";
import { count } from "../../../format/number.ts";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { texts } from "../../../texts/index.ts";
import { LabelLink } from "../../../values/label-links.tsx";
import { Since } from "../../../values/since.tsx";
import type { Group } from "./group.ts";
import { ServiceFacts } from "./service-facts.tsx";

const words = texts.attention;
/** If all services began to need attention within this time, only one time is shown. */
const togetherMs = 60_000;

export function GroupDetails({ group }: { group: Group }) {
  const { since } = group;
  const isSpread = Date.parse(since.latest) - Date.parse(since.earliest) >= togetherMs;
  return (
    <>
      <Breakdown group={group} isSpread={isSpread} />
      <Services group={group} saysSince={isSpread} />
    </>
  );
}

function Breakdown({ group, isSpread }: { group: Group; isSpread: boolean }) {
  const { agents, labels, byAgent, since } = group;
  const rest = agents - byAgent.length;
  return (
    <dl className="attention-facts">
      {isSpread && (
        <div>
          <dt>{words.lastBegan}</dt>
          <dd>
            <Since at={since.latest} />
          </dd>
        </div>
      )}
      {labels.length > 0 && (
        <div>
          <dt>{words.labels}</dt>
          {labels.map((label) => (
            <dd key={`${label.key}=${label.value}`}>
              <Sentence
                text={words.ofAll}
                parts={{
                  some: label.services,
                  all: label.of,
                  label: <LabelLink label={label} to="services" />,
                }}
              />
            </dd>
          ))}
        </div>
      )}
      <div>
        <dt>{words.byAgent}</dt>
        {byAgent.map((agent) => (
          <dd key={agent.id}>
            <NounLink to="agents" id={agent.id}>
              {agent.code}
            </NounLink>{" "}
            {count(agent.services)}
          </dd>
        ))}
        {rest > 0 && <dd className="muted">{words.more({ many: rest })}</dd>}
      </div>
    </dl>
  );
}

function Services({ group, saysSince }: { group: Group; saysSince: boolean }) {
  const { id, services, first } = group;
  const [isWhole, setWhole] = useState(false);
  const { data, error } = useCall(
    "attention.group",
    { params: { groupId: id } },
    { enabled: isWhole },
  );
  const known = new Set(first.map((service) => service.id));
  const others = data?.services.filter((service) => !known.has(service.id)) ?? [];
  return (
    <>
      <ul className="plain attention-services">
        {first.map((service) => (
          <li key={service.id}>
            <ServiceFacts service={service} saysSince={saysSince} />
          </li>
        ))}
        {isWhole &&
          others.map(({ id: serviceId, code }) => (
            <li key={serviceId}>
              <NounLink to="services" id={serviceId}>
                {code}
              </NounLink>
            </li>
          ))}
      </ul>
      <Failure error={isWhole ? error : null} />
      {services > first.length && (
        <div>
          <Button onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
            {isWhole ? texts.words.showFewer : words.showAll({ many: services })}
          </Button>
        </div>
      )}
    </>
  );
}
