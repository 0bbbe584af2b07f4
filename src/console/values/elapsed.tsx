// Shows that an operation is running, and for how long it has been running.

import { Spinner } from "../components/buttons/button.tsx";
import { duration } from "../format/time.ts";
import { texts } from "../texts/index.ts";
import { useNow } from "./clock.ts";
import "./elapsed.css";

interface ElapsedProps {
  /** When the operation began, in Unix milliseconds. */
  since: number;
  /** The operation's time limit. Absent if there is none. */
  limitMs?: number;
}

export function Elapsed({ since, limitMs }: ElapsedProps) {
  // The server's clock may be slightly ahead.
  const past = Math.min(limitMs ?? Number.POSITIVE_INFINITY, Math.max(0, useNow() - since));
  const seconds = Math.floor(past / 1000) * 1000;
  const elapsed = seconds === 0 ? "0 s" : duration(seconds);
  return (
    <span className="elapsed">
      <Spinner />
      {limitMs === undefined
        ? elapsed
        : texts.time.elapsedOf({ elapsed, limit: duration(limitMs) })}
    </span>
  );
}
