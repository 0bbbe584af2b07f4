// While the agent prepares the action: how far it is, as the live stream tells.

import { useState } from "react";
import { useMe } from "../../client/session.ts";
import { useLiveMessages } from "../../live/live.tsx";
import { texts } from "../../texts/index.ts";
import { useNow } from "../../values/clock.ts";
import { Elapsed } from "../../values/elapsed.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";

const words = texts.actions.preparing;

interface PreparingProps {
  serviceId: string;
  actionName: string;
  /** How long the server waits for the agent at most. */
  limitSeconds: number;
}

export function Preparing({ serviceId, actionName, limitSeconds }: PreparingProps) {
  const { user } = useMe();
  const now = useNow();
  const [since] = useState(now);
  const [seen, setSeen] = useState<{ id: string; status: string } | null>(null);
  useLiveMessages((message) => {
    if (message.type !== "command") return;
    const { id, type, status, source, ...command } = message.data;
    const isOurs =
      type === "ACTION_PREPARE" &&
      command.serviceId === serviceId &&
      command.action === actionName &&
      source.userId === user.id;
    const isOpen = status === "PENDING" || status === "RUNNING";
    if (isOurs && isOpen && (seen === null || seen.id === id)) setSeen({ id, status });
  });
  const status = seen?.status ?? "PENDING";
  return (
    <section className="card action-preparing" aria-label={words.title}>
      <div className="row" role="status">
        <StatusBadge status={status} />
        <span>
          {seen === null ? words.asking : status === "RUNNING" ? words.running : words.waiting}
        </span>
      </div>
      <Elapsed
        since={since}
        limitMs={limitSeconds * 1000}
        label={words.progress}
        text={words.elapsed}
      />
    </section>
  );
}
