// What an audit event says to people, for all who show it: what it is about by its name, from which state to which it
// went, and how it came out. No schema is among it: who imports this does not bring the schemas along.

interface Told {
  action: string;
  targetId: string | null;
  result: string;
  metadata: Readonly<Record<string, unknown>>;
}

export interface Subject {
  name: string;
  /** What was run on it. */
  action: string | null;
}

/** Null where the event names nothing: all that there is is an id. */
export function subjectOf({ metadata }: Pick<Told, "metadata">): Subject | null {
  const { action, serviceCode, code, username, name } = metadata;
  if (typeof action === "string" && typeof serviceCode === "string") {
    return { name: serviceCode, action };
  }
  const named = [code, username, name].find((each) => typeof each === "string" && each !== "");
  return typeof named === "string" ? { name: named, action: null } : null;
}

export function stepOf({ metadata: { from, to } }: Pick<Told, "metadata">) {
  return typeof from === "string" && typeof to === "string" ? { from, to } : null;
}

/** States that were found out, not something that somebody did: that it was written down is no success. */
const found: Readonly<Record<string, string>> = {
  "agent.online": "ONLINE",
  "agent.offline": "OFFLINE",
};

/** The result; of a state that was found out the state. */
export function outcomeOf(event: Pick<Told, "action" | "result" | "metadata">): string {
  const { action, result, metadata } = event;
  if (action === "service.health.changed" && typeof metadata.to === "string") return metadata.to;
  return found[action] ?? result;
}
