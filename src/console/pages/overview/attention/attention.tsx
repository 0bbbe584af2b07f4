// The state of the fleet in one line, and the services that need attention, grouped by reason.

import { useState } from "react";
import type { Reply } from "../../../client/call.ts";
import { useCall } from "../../../client/queries.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Loaded } from "../../../lists/loaded.tsx";
import { texts } from "../../../texts/index.ts";
import { type Fix, FixSheet } from "../fix/fix-sheet.tsx";
import { AttentionGroup } from "./attention-group.tsx";
import type { Attention as AttentionReply } from "./group.ts";
import { HandledGroups } from "./handled-groups.tsx";
import { type AskedNote, NoteDialog } from "./note-buttons.tsx";
import { Verdict } from "./verdict.tsx";
import "./attention.css";

const words = texts.attention;
/** Polls because the stream does not report when an agent falls silent or a silence expires. */
const refetchMs = 15_000;
const shownAtFirst = 5;

/** `overview` is undefined until it has been read. */
export function Attention({ overview }: { overview: Reply<"overview.get"> | undefined }) {
  const query = useCall("attention.get", {}, { everyMs: refetchMs });
  // The dialogs are kept here so that they stay open when their incident changes or ends.
  const [fix, setFix] = useState<Fix | null>(null);
  const [asked, setAsked] = useState<AskedNote | null>(null);
  return (
    <>
      <Loaded query={query}>
        {(attention) => (
          <>
            <Verdict attention={attention} overview={overview} onFix={setFix} />
            <Incidents attention={attention} onFix={setFix} onNote={setAsked} />
          </>
        )}
      </Loaded>
      {fix && <FixSheet fix={fix} onClose={() => setFix(null)} />}
      {asked && <NoteDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

interface IncidentsProps {
  attention: AttentionReply;
  onFix: (fix: Fix) => void;
  onNote: (asked: AskedNote) => void;
}

function Incidents({ attention, onFix, onNote }: IncidentsProps) {
  const { open, handled, truncated } = attention;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? open.groups : open.groups.slice(0, shownAtFirst);
  const folded = open.groups.length - shown.length;
  const leftOut = open.total - open.groups.length;
  const counted = open.groups.reduce((sum, { services }) => sum + services, 0);
  return (
    <>
      {truncated && <p className="small">{words.truncated}</p>}
      {shown.length > 0 && (
        <ul className="plain incidents" aria-label={words.title}>
          {shown.map((group) => (
            <AttentionGroup key={group.id} group={group} onFix={onFix} onNote={onNote} />
          ))}
        </ul>
      )}
      {open.groups.length > shownAtFirst && (
        <Button aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? texts.words.showFewer : words.showGroups({ many: folded })}
        </Button>
      )}
      {leftOut > 0 && folded === 0 && (
        <p className="small">
          {words.moreGroups({ groups: leftOut, services: open.services - counted })}
        </p>
      )}
      {handled.services > 0 && <HandledGroups handled={handled} />}
    </>
  );
}
