// A strip of equal periods. Each part shows how long the service had each status, with the worst
// status on top. Patterns distinguish the statuses for people who do not see the colours.

import type { EffectiveStatus } from "../../../../domain/fleet/services.ts";
import { toneOf } from "../../../format/status.ts";
import { texts } from "../../../texts/index.ts";
import { StatusWord } from "../../../values/status-badge.tsx";
import { drawnStatuses, type Part, partText, stripText } from "./strip-texts.ts";

interface StripProps {
  title: string;
  /** The main figure of the strip, shown beside the title. */
  figure: string;
  note?: string;
  parts: readonly Part[];
  nameOf: (part: Part) => string;
  /** The labels below the first and the last part. */
  ends: [first: string, last: string];
}

const words = texts.services.history;

export function Strip({ title, figure, note, parts, nameOf, ends }: StripProps) {
  const drawn = drawnStatuses.filter((status) => parts.some(({ ms }) => ms[status] > 0));
  return (
    <figure className="strip">
      <figcaption className="row">
        <h3>{title}</h3>
        <span>{figure}</span>
        {note && <span className="muted small">{note}</span>}
      </figcaption>
      <div
        className="strip-parts"
        role="img"
        aria-label={words.strip({ title, summary: stripText(parts) })}
      >
        {parts.map((part) => (
          <span
            key={part.from}
            className="strip-part"
            title={words.strip({ title: nameOf(part), summary: partText(part) })}
          >
            {part.unrecordedMs > 0 && <i style={{ flexGrow: part.unrecordedMs }} />}
            {drawnStatuses.map((status) => (
              <Share key={status} status={status} ms={part.ms[status]} />
            ))}
          </span>
        ))}
      </div>
      <div className="strip-ends muted small" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
      <ul className="row plain small strip-legend" aria-hidden="true">
        {drawn.map((status) => (
          <li key={status} className="row">
            <i className={shareClass(status)} /> <StatusWord status={status} />
          </li>
        ))}
      </ul>
    </figure>
  );
}

function Share({ status, ms }: { status: EffectiveStatus; ms: number }) {
  return ms > 0 && <i className={shareClass(status)} style={{ flexGrow: ms }} />;
}

function shareClass(status: EffectiveStatus): string {
  return `strip-share strip-${status.toLowerCase()} tone-${toneOf(status)}`;
}
