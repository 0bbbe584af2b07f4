// Shows when something began: the exact time, and how long ago that was.

import { exactTime, relativeTime, shortMoment, shortTime } from "../format/time.ts";
import { texts } from "../texts/index.ts";
import { useAsOfNow } from "./clock.ts";

const dayMs = 86_400_000;

export function Since({ at }: { at: string }) {
  const text = useAsOfNow((now) => {
    const isRecent = now - Date.parse(at) < dayMs;
    return `${isRecent ? shortTime(at) : shortMoment(at)}${texts.words.aside({ text: relativeTime(at, now) })}`;
  });
  return (
    <time dateTime={at} title={exactTime(at)}>
      {text}
    </time>
  );
}
