// A value that was serialized before, for responses that are too large to be built in the event loop.

export class ReadyJson<T> {
  readonly text: string;
  /** Only describes the value for the compiler. */
  declare readonly type: T;

  /** `text` must be the JSON of a `T`. */
  constructor(text: string) {
    this.text = text;
  }
}

/** Returns the JSON of an answer whose `text`, if it has one, replaces its `body`. */
export function jsonOf({ text, body }: { text?: string | undefined; body: unknown }): string {
  return text ?? JSON.stringify(body);
}

/** Adds members in front of those of an object that is not empty. */
export function withMembers(members: object, text: string): string {
  return `${JSON.stringify(members).slice(0, -1)},${text.slice(1)}`;
}
