// The notices that the processes of a cluster send each other when they have committed a group of
// writes. A notice names what the group concerns.

export const channel = "platform_changes";

/** PostgreSQL accepts payloads of less than 8000 bytes. */
const mostBytes = 7900;

export interface GroupNotice {
  node: string;
  group: number;
  /** Null if the keys are too long for a payload. The group may then concern anything. */
  keys: string[] | null;
}

export function payloadOf(node: string, group: number, keys: string[]): string {
  const payload = JSON.stringify([node, group, keys]);
  return Buffer.byteLength(payload) <= mostBytes ? payload : JSON.stringify([node, group, null]);
}

/** Returns null for a payload that does not come from this program. */
export function parseNotice(payload: string): GroupNotice | null {
  try {
    const [node, group, keys] = JSON.parse(payload);
    return { node, group, keys };
  } catch {
    return null;
  }
}
