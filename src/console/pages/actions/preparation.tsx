// Prepares an action when its page is opened, and shows the progress or the failure.

import { useState } from "react";
import { ApiError } from "../../client/api-error.ts";
import { call, type Reply } from "../../client/call.ts";
import { useMe } from "../../client/session.ts";
import { Button, ButtonLink } from "../../components/buttons/button.tsx";
import { Failure, FailureDetails } from "../../components/failure.tsx";
import { useLiveMessages } from "../../live/live.tsx";
import { addressOf } from "../../nouns/addresses.ts";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { useNow } from "../../values/clock.ts";
import { Elapsed } from "../../values/elapsed.tsx";
import { Facts } from "../../values/facts.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";

export type Prepared = Reply<"actions.prepare">;
export type Action = Prepared["action"];
export type Service = Reply<"services.get">;

export type Preparation =
  | { kind: "running" }
  | { kind: "ready"; prepared: Prepared }
  | { kind: "failed"; error: unknown };

/** Creates a command that prepares the action. Returns a function that stops waiting for it. */
export function prepare(
  serviceId: string,
  actionName: string,
  onEnd: (end: Preparation) => void,
): () => void {
  const left = new AbortController();
  const { signal } = left;
  const input = { params: { serviceId, actionName }, query: { fromCatalog: true } };
  const run = () =>
    call("actions.prepare", input, signal).then(
      (prepared) => onEnd({ kind: "ready", prepared }),
      (error) => signal.aborted || onEnd({ kind: "failed", error }),
    );
  // React may unmount a page and immediately mount it again. Only the last mount makes the call.
  const timer = setTimeout(() => void run());
  return () => {
    clearTimeout(timer);
    left.abort();
  };
}

interface PreparingProps {
  serviceId: string;
  actionName: string;
  limitSeconds: number;
}

/** Shows the status of the command, which the live stream reports. */
export function Preparing({ serviceId, actionName, limitSeconds }: PreparingProps) {
  const words = texts.actions.preparing;
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
    <section className="card stack tight" aria-label={words.title}>
      <div className="row" role="status">
        <StatusBadge status={status} />
        <span>
          {seen === null ? words.asking : status === "RUNNING" ? words.running : words.waiting}
        </span>
      </div>
      <Elapsed since={since} limitMs={limitSeconds * 1000} />
    </section>
  );
}

interface PrepareFailedProps {
  error: unknown;
  agentId: string | undefined;
  onAgain: () => void;
  /** Opens the form without preparing the action. Undefined if the action's schema is unknown. */
  onWithout: (() => void) | undefined;
}

export function PrepareFailed({ error, agentId, onAgain, onWithout }: PrepareFailedProps) {
  const words = texts.actions.failed;
  const advices: Readonly<Record<string, string>> = words.advice;
  const advice = error instanceof ApiError ? advices[error.code] : undefined;
  // Until the agent is back, preparing again cannot succeed, as the advice says.
  const isOffline = onWithout && error instanceof ApiError && error.code === "AGENT_OFFLINE";
  const without = onWithout && (
    <Button kind={isOffline ? "primary" : "plain"} onClick={onWithout}>
      {words.without}
    </Button>
  );
  return (
    <section className="card stack action-failed tight" aria-label={words.title}>
      <h2>{words.title}</h2>
      {advice && <p>{advice}</p>}
      {error instanceof ApiError && error.code === "ACTION_PREPARE_FAILED" ? (
        <AgentError error={error} />
      ) : error instanceof ApiError && advice ? (
        <FailureDetails error={error} />
      ) : (
        <Failure error={error} />
      )}
      <div className="row">
        {agentId && (
          <ButtonLink to={addressOf("agents", agentId)}>
            {texts.registrationTokens.toAgent}
          </ButtonLink>
        )}
        {!isOffline && without}
        <Button kind={isOffline ? "plain" : "primary"} onClick={onAgain}>
          {texts.actions.prepareAgain}
        </Button>
        {isOffline && without}
      </div>
      {onWithout && !isOffline && <p className="muted small">{words.withoutWhy}</p>}
    </section>
  );
}

function AgentError({ error }: { error: ApiError }) {
  const { agentSays, code, command } = texts.actions.failed;
  const { code: ofAgent, message, commandId } = error.details;
  const link = typeof commandId === "string" && (
    <NounLink to="commands" id={commandId}>
      <code>{commandId}</code>
    </NounLink>
  );
  return (
    <div role="alert">
      <Facts
        facts={[
          [agentSays, typeof message === "string" ? message : error.message],
          [code, typeof ofAgent === "string" && <code>{ofAgent}</code>],
          [command, link],
        ]}
      />
    </div>
  );
}
