// Why there was no answer, in words: from the codes of undici, of sockets and of OpenSSL.

import { shownProxy } from "./proxy.ts";
import { Unreachable, Untrusted } from "./unreachable.ts";

const reasons: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection lost",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host name cannot be looked up",
  ETIMEDOUT: "timed out",
  UND_ERR_CONNECT_TIMEOUT: "timed out",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped half-way",
  UND_ERR_SOCKET: "connection lost",
  UND_ERR_PRX_CONN: "connection lost",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak HTTPS there: is it http://?",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it does not speak HTTPS there: is it http://?",
};

/** Certificates that an authority of ours has not signed, by OpenSSL's names. */
const unknownIssuers = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** What `error` on the way to `base`, through `proxy` if there is one, means to a caller. */
export function noAnswer(base: string, error: unknown, proxy: string | null): Unreachable {
  const { code = "", message } = error as { code?: string; message: string };
  if (unknownIssuers.has(code)) {
    // Behind the semicolon Node speaks of its own flags.
    const reason = message.split(";", 1)[0];
    return new Untrusted(base, `the server's certificate is not trusted: ${reason}`, error);
  }
  const reason = reasons[code] ?? (message || "unknown reason");
  if (proxy === null) return new Unreachable(base, reason, error);
  const shown = shownProxy(proxy);
  const told = refusalOf(shown, message) ?? `${reason}, through the proxy ${shown}`;
  return new Unreachable(base, told, error, shown);
}

/** The proxy has answered that it leads nowhere. Null when it is something else. */
function refusalOf(shown: string, message: string): string | null {
  const status = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(message)?.[1];
  if (status === undefined) return null;
  if (status === "407") return `the proxy ${shown} wants another name and password (407)`;
  return `the proxy ${shown} answered ${status}`;
}
