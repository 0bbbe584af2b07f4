// Shows that an operation is running, and for how long already.

import { duration } from "../format/time.ts";
import { texts } from "../texts/index.ts";
import { useNow } from "./clock.ts";
import "./elapsed.css";

/** `since` is Unix milliseconds. */
export function Elapsed({ since, limitMs }: { since: number; limitMs: number }) {
  // The server's clock may be slightly ahead.
  const elapsed = Math.min(limitMs, Math.max(0, useNow() - since));
  const seconds = Math.floor(elapsed / 1000) * 1000;
  return (
    <span className="elapsed">
      <span className="spinner" aria-hidden="true" />
      {texts.time.elapsedOf({
        elapsed: seconds === 0 ? "0 s" : duration(seconds),
        limit: duration(limitMs),
      })}
    </span>
  );
}
