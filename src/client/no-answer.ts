import { shownProxy } from "./proxy.ts";
import { Unreachable, Untrusted } from "./unreachable.ts";

const reasons: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection lost",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host name cannot be resolved",
  ETIMEDOUT: "timed out",
  UND_ERR_CONNECT_TIMEOUT: "timed out",
  UND_ERR_HEADERS_TIMEOUT: "no response in time",
  UND_ERR_BODY_TIMEOUT: "the response was incomplete",
  UND_ERR_SOCKET: "connection lost",
  UND_ERR_PRX_CONN: "connection lost",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not use HTTPS; try http://",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the server does not use HTTPS; try http://",
};

/** OpenSSL's codes for certificates that no trusted CA signed. */
const unknownIssuers = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Explains `error`, which a call to `base` threw. */
export function noAnswer(base: string, error: unknown, proxy: string | null): Unreachable {
  const { code = "", message } = error as { code?: string; message: string };
  if (unknownIssuers.has(code)) {
    // The text after the semicolon is about Node's own flags.
    const reason = message.split(";", 1)[0];
    return new Untrusted(base, `the server's certificate is not trusted: ${reason}`, error);
  }
  const known = reasons[code] ?? (message || "unknown reason");
  const reason = refusesPlainHttp(base, error) ? `${known}; if it uses HTTPS, try https://` : known;
  if (proxy === null) return new Unreachable(base, reason, error);
  const shown = shownProxy(proxy);
  const told = refusalOf(shown, message) ?? `${reason}, through the proxy ${shown}`;
  return new Unreachable(base, told, error, shown);
}

/** A server that expects TLS closes the connection at the first request, without a response. */
function refusesPlainHttp(base: string, error: unknown): boolean {
  const { code, socket } = error as { code?: string; socket?: { bytesRead?: number } };
  return base.startsWith("http://") && code === "UND_ERR_SOCKET" && socket?.bytesRead === 0;
}

/** Returns null if the proxy itself did not refuse the call. */
function refusalOf(shown: string, message: string): string | null {
  const status = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(message)?.[1];
  if (status === undefined) return null;
  if (status === "407") return `the proxy ${shown} rejected the user name or password (407)`;
  return `the proxy ${shown} responded with ${status}`;
}
