// How the command line and the console describe an audit event: its subject by name, the change of
// state, and the outcome. This file imports no schemas, so that importing it is cheap.

interface Event {
  action: string;
  targetId: string | null;
  result: string;
  metadata: Readonly<Record<string, unknown>>;
}

export interface Subject {
  name: string;
  /** The action that was run. */
  action: string | null;
}

/** The target's name; null if the event has only an id. */
export function subjectOf({ metadata }: Pick<Event, "metadata">): Subject | null {
  const { action, serviceCode, code, username, name } = metadata;
  if (typeof action === "string" && typeof serviceCode === "string") {
    return { name: serviceCode, action };
  }
  const named = [code, username, name].find((each) => typeof each === "string" && each !== "");
  return typeof named === "string" ? { name: named, action: null } : null;
}

export function stepOf({ metadata: { from, to } }: Pick<Event, "metadata">) {
  return typeof from === "string" && typeof to === "string" ? { from, to } : null;
}

/** States that the server observed. For these, "success" would only mean "recorded". */
const observed: Readonly<Record<string, string>> = {
  "agent.online": "ONLINE",
  "agent.offline": "OFFLINE",
};

/** The result of an event, or the state that it observed. */
export function outcomeOf(event: Pick<Event, "action" | "result" | "metadata">): string {
  const { action, result, metadata } = event;
  if (action === "service.health.changed" && typeof metadata.to === "string") return metadata.to;
  return observed[action] ?? result;
}
