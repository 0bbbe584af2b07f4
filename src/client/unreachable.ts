// The failure to get any answer at all.

/** There was no answer: nobody listens, the connection broke, or it took too long. */
export class Unreachable extends Error {
  override readonly name: string = "Unreachable";
  readonly target: string;
  readonly reason: string;
  /** Through which it was tried, without name and password; null when straight. */
  readonly proxy: string | null;

  constructor(target: string, reason: string, cause?: unknown, proxy: string | null = null) {
    super(`cannot reach ${target} (${reason})`, { cause });
    this.target = target;
    this.reason = reason;
    this.proxy = proxy;
  }
}

/** Somebody is there, whose certificate is not from an authority that we trust. */
export class Untrusted extends Unreachable {
  override readonly name = "Untrusted";
}
