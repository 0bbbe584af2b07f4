// The groups that are acknowledged or silenced, collapsed at first: by whom, why, and until when.

import { useMay } from "../../../client/session.ts";
import { Sentence } from "../../../components/sentence.tsx";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { texts } from "../../../texts/index.ts";
import { Since } from "../../../values/since.tsx";
import type { Attention, Group } from "./group.ts";
import { GroupCard } from "./group-card.tsx";
import { EndNoteButton } from "./note-buttons.tsx";

const words = texts.attention;
const { comma, colon } = texts.words;

export function HandledGroups({ handled }: { handled: Attention["handled"] }) {
  return (
    <details className="attention-handled">
      <summary>{words.handled({ many: handled.services })}</summary>
      <ul className="plain attention-groups">
        {handled.groups.map((group) => (
          <Handled key={group.id} group={group} />
        ))}
      </ul>
    </details>
  );
}

function Handled({ group }: { group: Group }) {
  const { services, agents, first, note } = group;
  const [only] = first;
  const mayAct = useMay("operator");
  return (
    <GroupCard group={group}>
      <p>
        {services === 1 && only ? (
          <NounLink to="services" id={only.id}>
            {only.code}
          </NounLink>
        ) : (
          words.onAgents({ services, agents })
        )}
        {comma}
        <Sentence text={words.since} parts={{ time: <Since at={group.since.earliest} /> }} />
      </p>
      {note && <NoteText note={note} />}
      {mayAct && (
        <div>
          <EndNoteButton group={group} />
        </div>
      )}
    </GroupCard>
  );
}

function NoteText({ note: { kind, by, at, until, note } }: { note: NonNullable<Group["note"]> }) {
  const text = kind === "SILENCED" ? words.silence.by : words.acknowledge.by;
  return (
    <p className="muted">
      <Sentence text={text} parts={{ who: by ?? words.somebody, time: <Since at={at} /> }} />
      {until !== null && (
        <>
          {comma}
          <Sentence text={words.silence.until} parts={{ time: <Since at={until} /> }} />
        </>
      )}
      {note !== null && `${colon}${note}`}
    </p>
  );
}
