// The failure to get any answer at all.

/** There was no answer: nobody listens, the connection broke, or it took too long. */
export class Unreachable extends Error {
  override readonly name: string = "Unreachable";
  readonly target: string;
  readonly reason: string;

  constructor(target: string, reason: string, cause?: unknown) {
    super(`cannot reach ${target} (${reason})`, { cause });
    this.target = target;
    this.reason = reason;
  }
}

/** Somebody is there, whose certificate is not from an authority that we trust. */
export class Untrusted extends Unreachable {
  override readonly name = "Untrusted";
}
