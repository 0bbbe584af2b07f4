// A command that has not ended: where it is, and how much of its time is gone.

import type { Command } from "../../client/command.ts";
import { texts } from "../../texts/index.ts";
import { Elapsed } from "../../values/elapsed.tsx";

const words = texts.commands.live;

export function CommandLive({ command }: { command: Command }) {
  const { status, agentCode, deliveries, createdAt, startedAt, expiresAt } = command;
  const since = Date.parse(startedAt ?? createdAt);
  return (
    <section className="card command-live" aria-label={texts.words.status}>
      <p>{status === "PENDING" ? words.pending(agentCode) : words.running(agentCode)}</p>
      <Elapsed
        since={since}
        limitMs={Date.parse(expiresAt) - since}
        label={words.progress}
        text={words.elapsed}
      />
      {deliveries > 1 && <p className="muted">{words.deliveries(deliveries)}</p>}
    </section>
  );
}
