// The groups that are acknowledged or silenced. For each, says who did this, why, and until when.
// The list is collapsed at first.

import { useMay } from "../../../client/session.ts";
import { Cut } from "../../../components/text/cut.tsx";
import { Sentence } from "../../../components/text/sentence.tsx";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { texts } from "../../../texts/index.ts";
import { Since } from "../../../values/since.tsx";
import type { Attention, Group } from "./group.ts";
import { IncidentRow } from "./incident-row.tsx";
import { EndNoteButton } from "./note-buttons.tsx";

const words = texts.attention;
const { comma, colon } = texts.words;

export function HandledGroups({ handled }: { handled: Attention["handled"] }) {
  const listed = handled.groups.reduce((sum, { services }) => sum + services, 0);
  const more = handled.services - listed;
  return (
    <details>
      <summary>{words.handled({ many: handled.services })}</summary>
      <ul className="plain incidents">
        {handled.groups.map((group) => (
          <Handled key={group.id} group={group} />
        ))}
      </ul>
      {more > 0 && <p className="small">{words.moreHandled({ many: more })}</p>}
    </details>
  );
}

function Handled({ group }: { group: Group }) {
  const { services, agents, first, note, since } = group;
  const [only] = first;
  const mayAct = useMay("operator");
  return (
    <IncidentRow
      group={group}
      facts={
        <>
          <p className="incident-line">
            {services === 1 && only ? (
              <NounLink to="services" id={only.id}>
                {only.code}
              </NounLink>
            ) : (
              words.onAgents({ services, agents })
            )}
            {comma}
            <Sentence text={words.since} parts={{ time: <Since at={since.earliest} /> }} />
          </p>
          {note && <NoteText note={note} />}
        </>
      }
      acts={mayAct && <EndNoteButton group={group} />}
    />
  );
}

function NoteText({ note: { kind, by, at, until, note } }: { note: NonNullable<Group["note"]> }) {
  const text = kind === "SILENCED" ? words.silence.by : words.acknowledge.by;
  return (
    <Cut>
      <Sentence text={text} parts={{ who: by ?? words.somebody, time: <Since at={at} /> }} />
      {until !== null && (
        <>
          {comma}
          <Sentence text={words.silence.until} parts={{ time: <Since at={until} /> }} />
        </>
      )}
      {note !== null && `${colon}${note}`}
    </Cut>
  );
}
