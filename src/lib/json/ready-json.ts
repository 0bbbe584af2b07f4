// A value that is already serialized, for responses that are too large to serialize in the event
// loop.

export class ReadyJson<T> {
  readonly text: string;
  /** Never set: gives the compiler the type of the value. */
  declare readonly type: T;

  /** `text` must be the JSON of a `T`. */
  constructor(text: string) {
    this.text = text;
  }
}

/** Returns `text` if the answer has one; otherwise its `body` as JSON. */
export function jsonOf({ text, body }: { text?: string | undefined; body: unknown }): string {
  return text ?? JSON.stringify(body);
}

/**
 * Returns the JSON of an object that begins with `members`. `text` is the JSON of the other
 * members, and must not be an empty object.
 */
export function withMembers(members: object, text: string): string {
  return `${JSON.stringify(members).slice(0, -1)},${text.slice(1)}`;
}
