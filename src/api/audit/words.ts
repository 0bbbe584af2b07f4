// Finds what the command line and the console show of an audit event. Loads no schemas, because
// loading them is slow.

interface Event {
  action: string;
  result: string;
  metadata: Readonly<Record<string, unknown>>;
}

interface Subject {
  name: string;
  action: string | null;
}

/** Returns null if the event names its target only by the id. */
export function subjectOf({ metadata }: Pick<Event, "metadata">): Subject | null {
  const { action, serviceCode, code, username, name, title, agentCode } = metadata;
  if (typeof action === "string" && typeof serviceCode === "string") {
    return { name: serviceCode, action };
  }
  const named = [code, username, name, title, agentCode].find(
    (each) => typeof each === "string" && each !== "",
  );
  return typeof named === "string" ? { name: named, action: null } : null;
}

export function stepOf({ metadata: { from, to } }: Pick<Event, "metadata">) {
  return typeof from === "string" && typeof to === "string" ? { from, to } : null;
}

/** The words for results of events whose "success" would only mean "recorded". */
const observed: Readonly<Record<string, string>> = {
  "approval.bypassed": "BYPASSED",
  "agent.online": "ONLINE",
  "agent.offline": "OFFLINE",
};

export function outcomeOf(event: Pick<Event, "action" | "result" | "metadata">): string {
  const { action, result, metadata } = event;
  if (action === "service.health.changed" && typeof metadata.to === "string") return metadata.to;
  return observed[action] ?? result;
}
