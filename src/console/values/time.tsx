// Shows a time in the style that the user has chosen, and its exact form on hover.

import { exactTime, relativeTime, shortExactTime } from "../format/time.ts";
import { texts } from "../texts/index.ts";
import { useAsOfNow } from "./clock.ts";
import { timeStyle } from "./time-style.ts";

interface TimeProps {
  at: string | null;
  /** Shown if there is no time. */
  none?: string;
  /** Shows the exact time in both styles, where the order of times or the time between matters. */
  exact?: boolean;
}

export function Time({ at, none = texts.time.never, exact = false }: TimeProps) {
  const isExact = timeStyle.use() === "exact" || exact;
  const text = useAsOfNow((now) => {
    if (at === null) return none;
    return isExact ? shortExactTime(at, now) : relativeTime(at, now);
  });
  if (at === null) return <span className="muted">{text}</span>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {text}
    </time>
  );
}
