// How much of its time something has taken that runs now.

import { duration } from "../format/time.ts";
import { useNow } from "./clock.ts";
import "./elapsed.css";

interface ElapsedProps {
  /** Milliseconds since 1970. */
  since: number;
  limitMs: number;
  /** What the bar shows, for readers. */
  label: string;
  text: (elapsed: string, limit: string) => string;
}

export function Elapsed({ since, limitMs, label, text }: ElapsedProps) {
  // The server's clock may be a little ahead.
  const elapsed = Math.min(limitMs, Math.max(0, useNow() - since));
  const seconds = Math.floor(elapsed / 1000) * 1000;
  return (
    <div className="elapsed">
      <progress aria-label={label} value={elapsed} max={limitMs} />
      <span className="muted">
        {text(seconds === 0 ? "0 s" : duration(seconds), duration(limitMs))}
      </span>
    </div>
  );
}
