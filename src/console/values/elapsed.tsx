// Shows how much of its time limit a running operation has used.

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
    <div className="row elapsed">
      <progress aria-label={texts.time.elapsed} value={elapsed} max={limitMs} />
      <span className="muted">
        {texts.time.elapsedOf({
          elapsed: seconds === 0 ? "0 s" : duration(seconds),
          limit: duration(limitMs),
        })}
      </span>
    </div>
  );
}
