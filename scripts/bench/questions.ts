// What operators ask of a big database.

import { idOf } from "./large-fleet.ts";

const admin = "/api/admin";
const ago = (daysAgo: number) =>
  `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;

/** First pages with up to two filters, counts, and the overview. */
export function firstPages(): string[] {
  const [agentId, serviceId] = [idOf("agt", 4_321), idOf("svc", 8_642)];
  return [
    ...["", "?status=ONLINE", "?status=ONLINE&mode=sidecar", "?label=site:north", "?q=edge-04"].map(
      (query) => `${admin}/agents${query}`,
    ),
    ...["", "?status=HEALTHY", "?status=STALE", "?healthStatus=DOWN", "?status=HEALTHY&q=42"].map(
      (query) => `${admin}/capsule-services${query}`,
    ),
    ...[
      "",
      "?status=SUCCEEDED",
      "?status=FAILED&action=clear-cache",
      `?agentId=${agentId}&status=SUCCEEDED`,
      `?serviceId=${serviceId}`,
      "?type=ACTION_PREPARE",
      `?from=${ago(20)}&to=${ago(19)}`,
    ].map((query) => `${admin}/commands${query}`),
    ...[
      "",
      "?action=command.*",
      "?result=FAILURE&actorType=AGENT",
      "?actorType=USER&action=command.created",
      `?actorId=${agentId}`,
      `?targetId=${serviceId}`,
      `?from=${ago(20)}&to=${ago(19)}`,
    ].map((query) => `${admin}/audit-events${query}`),
    `${admin}/overview`,
    `${admin}/overview/health-map`,
    `${admin}/overview/commands?hours=24`,
    `${admin}/metrics`,
    `${admin}/metrics/prometheus`,
  ];
}

/** Filters that match little or nothing, or only old rows, so that a search must read many rows. */
export function worstQuestions(): string[] {
  return [
    `${admin}/audit-events?result=DENIED`,
    `${admin}/audit-events?actorType=AGENT&result=DENIED&targetType=command`,
    `${admin}/audit-events?actorType=USER&action=service.health.changed&result=FAILURE`,
    `${admin}/audit-events?action=user.*&actorType=AGENT`,
    `${admin}/audit-events?actorType=AGENT&pageSize=100&page=100`,
    `${admin}/audit-events?afterSeq=1&result=DENIED&actorType=USER&pageSize=100`,
    `${admin}/commands?status=CANCELLED&action=clear-cache`,
    `${admin}/commands?status=FAILED&type=ACTION_PREPARE,ACTION_EXECUTE&to=${ago(29)}`,
    `${admin}/commands?status=SUCCEEDED,FAILED&pageSize=100&page=100`,
    `${admin}/agents?q=nowhere`,
    `${admin}/agents?label=site:south&status=ONLINE`,
    `${admin}/capsule-services?q=nowhere`,
    `${admin}/capsule-services?status=STALE&pageSize=100&page=50`,
    `${admin}/overview/health-map`,
    `${admin}/overview`,
    `${admin}/metrics`,
  ];
}
