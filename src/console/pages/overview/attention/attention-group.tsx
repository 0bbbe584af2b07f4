// Services that need attention for the same reason: how many there are, since when, what they have
// in common, and buttons to deal with them.

import { ChevronRight, Ellipsis } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { useMay } from "../../../client/session.ts";
import { Button, ButtonLink } from "../../../components/buttons/button.tsx";
import { PopButton } from "../../../components/buttons/pop-button.tsx";
import { Sentence } from "../../../components/text/sentence.tsx";
import { addressOf } from "../../../nouns/addresses.ts";
import { texts } from "../../../texts/index.ts";
import { LabelLink } from "../../../values/label-links.tsx";
import { Since } from "../../../values/since.tsx";
import { FixMenu } from "../fix/fix-menu.tsx";
import type { Fix } from "../fix/fix-sheet.tsx";
import { type Group, isFixable, nameOf, titleOf } from "./group.ts";
import { GroupDetails } from "./group-details.tsx";
import { IncidentRow } from "./incident-row.tsx";
import type { AskedNote } from "./note-buttons.tsx";
import { ServiceFacts } from "./service-facts.tsx";

const words = texts.attention;
const { colon } = texts.words;

interface AttentionGroupProps {
  group: Group;
  onFix: (fix: Fix) => void;
  onNote: (asked: AskedNote) => void;
}

export function AttentionGroup({ group, onFix, onNote }: AttentionGroupProps) {
  const [isOpen, setOpen] = useState(false);
  const mayAct = useMay("operator");
  const [only] = group.first;
  return (
    <IncidentRow
      group={group}
      facts={
        group.services === 1 && only ? (
          <ServiceFacts service={only} saysSince />
        ) : (
          <SharedFacts group={group} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        )
      }
      acts={mayAct && <Acts group={group} onFix={onFix} onNote={onNote} />}
    >
      {isOpen && <GroupDetails group={group} />}
    </IncidentRow>
  );
}

interface SharedFactsProps {
  group: Group;
  isOpen: boolean;
  onToggle: () => void;
}

function SharedFacts({ group, isOpen, onToggle }: SharedFactsProps) {
  const { services, agents, since, labels } = group;
  const [label] = labels;
  return (
    <>
      <p className="incident-line">
        <button type="button" className="incident-toggle" aria-expanded={isOpen} onClick={onToggle}>
          <ChevronRight aria-hidden="true" />
          {words.onAgents({ services, agents })}
        </button>
        {label && (
          <span className="muted">
            {" · "}
            <Sentence
              text={label.services === services ? words.allWith : words.mostWith}
              parts={{ label: <LabelLink label={label} to="services" /> }}
            />
          </span>
        )}
      </p>
      <p className="incident-line muted">
        <Sentence text={words.since} parts={{ time: <Since at={since.earliest} /> }} />
      </p>
    </>
  );
}

function Acts({ group, onFix, onNote }: AttentionGroupProps) {
  const rollout = `/rollouts/new?${new URLSearchParams({ attention: group.id })}`;
  return (
    <>
      {isFixable(group) ? (
        <FixMenu
          groups={[group]}
          text={words.fix}
          label={words.fixOf({ name: titleOf(group) })}
          onFix={onFix}
        />
      ) : (
        <AgentsLink group={group} />
      )}
      <Button
        aria-label={words.acknowledge.of({ name: titleOf(group) })}
        onClick={() => onNote({ kind: "acknowledge", group })}
      >
        {words.acknowledge.open}
      </Button>
      <PopButton
        text={words.moreActs}
        label={words.moreActsOf({ name: titleOf(group) })}
        icon={<Ellipsis />}
      >
        <button
          type="button"
          className="menu-item"
          onClick={() => onNote({ kind: "silence", group })}
        >
          {words.silence.open}
        </button>
        <Link className="menu-item" to={rollout}>
          {words.rollout}
        </Link>
      </PopButton>
    </>
  );
}

/** Shown instead of actions, which cannot run while the agents are away. */
function AgentsLink({ group }: { group: Group }) {
  const { agents, byAgent } = group;
  const [only] = byAgent;
  const one = agents === 1 && only;
  const text = one ? words.openAgent : words.showAgents;
  return (
    <ButtonLink
      to={one ? addressOf("agents", only.id) : "/agents?status=OFFLINE,DISABLED"}
      aria-label={`${text}${colon}${one ? only.code : nameOf(group)}`}
    >
      {text}
    </ButtonLink>
  );
}
