// A sentence that says what the numbers below it mean.

import type { ReactNode } from "react";
import { useCall } from "../../client/queries.ts";
import { Failure } from "../../components/failure.tsx";
import type { Tone } from "../../format/status.ts";
import { LoadingMark } from "../../lists/loaded.tsx";
import { problemText, texts } from "../../texts/index.ts";
import { Badge } from "../../values/status-badge.tsx";

const words = texts.settings.verdict;

export function Verdict({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <p
      className={tone === "good" ? "card settings-verdict" : "card note settings-verdict"}
      role="status"
    >
      <Badge tone={tone}>{words.tones[tone === "good" ? "good" : "warn"]}</Badge> {children}
    </p>
  );
}

/** A server that is DOWN answers with an error, which says why. */
export function HealthVerdict({ everyMs }: { everyMs: number }) {
  const { data, error } = useCall("system.health", {}, { everyMs });
  if (!data) return error ? <Failure error={error} /> : <LoadingMark />;
  const { warning, reason, message } = data.database;
  if (data.status === "UP" && !warning) return <Verdict tone="good">{words.healthy}</Verdict>;
  return <Verdict tone="warn">{warning ?? problemText(reason, message ?? words.degraded)}</Verdict>;
}
