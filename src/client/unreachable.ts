/** There was no response: connection refused, connection lost, or timeout. */
export class Unreachable extends Error {
  override readonly name: string = "Unreachable";
  readonly target: string;
  readonly reason: string;
  /** The proxy without user name and password; null for a direct connection. */
  readonly proxy: string | null;

  constructor(target: string, reason: string, cause?: unknown, proxy: string | null = null) {
    super(`cannot reach ${target} (${reason})`, { cause });
    this.target = target;
    this.reason = reason;
    this.proxy = proxy;
  }
}

/** The server's certificate is not from a trusted CA. */
export class Untrusted extends Unreachable {
  override readonly name = "Untrusted";
}
