// A service's status: since when, and why.

import type { Reply } from "../../client/call.ts";
import { useMe } from "../../client/session.ts";
import { Sentence } from "../../components/text/sentence.tsx";
import { softBreaks } from "../../components/text/soft-breaks.tsx";
import { statusText } from "../../format/status.ts";
import { duration } from "../../format/time.ts";
import { texts } from "../../texts/index.ts";
import { Since } from "../../values/since.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";

type ServiceDetail = Reply<"services.get">;
type AgentDetail = Reply<"agents.get">;
type Thresholds = Reply<"auth.me">["installation"]["thresholds"];

const words = texts.services;

interface ServiceStatusProps {
  service: ServiceDetail;
  /** Undefined until the agent has been read. */
  agent: AgentDetail | undefined;
}

export function ServiceStatus({ service, agent }: ServiceStatusProps) {
  const { status, statusSince, storedStatus, healthMessage } = service;
  const { thresholds } = useMe().installation;
  return (
    <section className="card service-status" aria-label={texts.words.status}>
      <h2>{texts.words.status}</h2>
      <p className="row row-text">
        <StatusBadge status={status} />
        <span className="muted">
          {statusSince ? (
            <Sentence text={words.statusSince} parts={{ time: <Since at={statusSince} /> }} />
          ) : (
            words.justNow
          )}
        </span>
      </p>
      {healthMessage && <p className="service-message">{softBreaks(healthMessage)}</p>}
      <p className="muted small">{reasonOf(service, agent, thresholds)}</p>
      {storedStatus !== status && (
        <p className="muted small">{words.storedIs({ status: statusText(storedStatus) })}</p>
      )}
    </section>
  );
}

function reasonOf(
  { status, removedAt, agentCode }: ServiceDetail,
  agent: AgentDetail | undefined,
  limits: Thresholds,
) {
  if (removedAt) return words.why.removed({ agent: agentCode });
  const [offline, suppress, stale] = [
    limits.offlineSeconds,
    limits.suppressSeconds,
    limits.serviceStaleSeconds,
  ].map((seconds) => duration(seconds * 1000)) as [string, string, string];
  if (status === "STALE") {
    const isSilent = agent?.offlineReason === "SILENT";
    return isSilent
      ? words.why.agentSilent({ after: offline })
      : words.why.stale({ afterCall: offline, afterReport: stale });
  }
  if (status !== "OFFLINE") return words.why[status];
  switch (agent?.offlineReason) {
    case "DISABLED":
      return words.why.disabled;
    case "TOKEN_REVOKED":
      return words.why.noToken;
    case "STOPPED":
      return words.why.stopped;
    default:
      return words.why.silent({ after: suppress });
  }
}
