// Services that need attention for the same reason: how many there are, since when, what they have
// in common, and buttons to deal with them.

import { useState } from "react";
import { Link } from "react-router";
import { formatSelector } from "../../../../domain/selectors.ts";
import { useCall } from "../../../client/queries.ts";
import { useMay } from "../../../client/session.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { count } from "../../../format/number.ts";
import { addressOf } from "../../../nouns/addresses.ts";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { texts } from "../../../texts/index.ts";
import { Since } from "../../../values/since.tsx";
import { type Group, nameOf, reasonOf } from "./group.ts";
import { GroupCard } from "./group-card.tsx";
import { AcknowledgeButton, SilenceButton } from "./note-buttons.tsx";
import { ServiceLine } from "./service-line.tsx";

const words = texts.attention;
const { comma, colon } = texts.words;
/** Two beginnings that are closer to each other are shown as one. */
const togetherMs = 60_000;

export function AttentionGroup({ group }: { group: Group }) {
  const { services, agents, since } = group;
  const mayAct = useMay("operator");
  const isSpread = Date.parse(since.latest) - Date.parse(since.earliest) >= togetherMs;
  return (
    <GroupCard group={group}>
      {services > 1 && (
        <p>
          <strong>{words.onAgents({ services, agents })}</strong>
          {comma}
          <Sentence text={words.since} parts={{ time: <Since at={since.earliest} /> }} />
          {isSpread && (
            <>
              {comma}
              <Sentence text={words.lastSince} parts={{ time: <Since at={since.latest} /> }} />
            </>
          )}
        </p>
      )}
      <Breakdown group={group} />
      <Services group={group} saysSince={isSpread || services === 1} />
      {mayAct && (
        <div className="row attention-acts">
          <RunAction group={group} />
          <AcknowledgeButton group={group} />
          <SilenceButton group={group} />
        </div>
      )}
    </GroupCard>
  );
}

function Breakdown({ group: { services, agents, labels, byAgent } }: { group: Group }) {
  const rest = agents - byAgent.length;
  return (
    <dl className="attention-facts">
      {labels.length > 0 && (
        <div>
          <dt>{words.labels}</dt>
          {labels.map(({ key, value, services: some, of }) => {
            const selector = formatSelector([{ key, operator: "in", values: [value] }]);
            const label = (
              <Link to={`/services?${new URLSearchParams({ selector })}`}>
                {key}={value}
              </Link>
            );
            return (
              <dd key={`${key}=${value}`}>
                <Sentence text={words.ofAll} parts={{ some, all: of, label }} />
              </dd>
            );
          })}
        </div>
      )}
      {services > 1 && (
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
      )}
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
          <ServiceLine key={service.id} service={service} saysSince={saysSince} />
        ))}
        {isWhole &&
          others.map(({ id: serviceId, code, since }) => (
            <li key={serviceId}>
              <NounLink to="services" id={serviceId}>
                {code}
              </NounLink>
              {saysSince && (
                <span className="muted small">
                  {" "}
                  <Sentence text={words.since} parts={{ time: <Since at={since} /> }} />
                </span>
              )}
            </li>
          ))}
      </ul>
      <Failure error={isWhole ? error : null} />
      {services > first.length && (
        <Button onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? words.showFewer : words.showAll({ many: services })}
        </Button>
      )}
    </>
  );
}

/** One service has a page with its actions. Several get a rollout. */
function RunAction({ group }: { group: Group }) {
  const { id, services, first } = group;
  const [only] = first;
  const label = words.runOn({ name: `${nameOf(group)}${colon}${reasonOf(group)}` });
  if (services === 1 && only) {
    const address = addressOf("services", only.id);
    return (
      <>
        <ButtonLink to={address} aria-label={words.openOf({ name: only.code })}>
          {words.open}
        </ButtonLink>
        <ButtonLink to={`${address}?tab=actions`} aria-label={label}>
          {words.run}
        </ButtonLink>
      </>
    );
  }
  return (
    <ButtonLink to={`/rollouts/new?${new URLSearchParams({ attention: id })}`} aria-label={label}>
      {words.run}
    </ButtonLink>
  );
}
