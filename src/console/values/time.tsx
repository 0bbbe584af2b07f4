// Shows a time relative to now, and the exact time on hover.

import { exactTime, relativeTime } from "../format/time.ts";
import { texts } from "../texts/index.ts";
import { useAsOfNow } from "./clock.ts";

export function Time({ at, none = texts.time.never }: { at: string | null; none?: string }) {
  const text = useAsOfNow((now) => (at === null ? none : relativeTime(at, now)));
  if (at === null) return <span className="muted">{text}</span>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {text}
    </time>
  );
}
