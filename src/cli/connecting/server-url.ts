// The URL of a server, as it is typed and as it is kept.

import { isLoopback } from "../../client/proxy.ts";
import { usageError } from "../exit.ts";

export const usualServer = "http://127.0.0.1:8080";

/**
 * The URL in its one spelling: scheme, host, port where it is not the usual one, and a path if there is any,
 * without a slash behind. Without a scheme it is https, and http for this very machine. Throws a usage error
 * that names `saidBy`.
 */
export function serverUrl(text: string, saidBy: string): string {
  const url = text.includes("://") ? parsed(text) : withScheme(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageError(`${saidBy} must be a URL such as ${usualServer}, not ${withoutUser(text)}.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usageError(`${saidBy} must be a URL such as ${usualServer}, without user, ? or #.`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** What is typed without a thought is not to send a password where everybody can read it. */
function withScheme(text: string): URL | null {
  const plain = parsed(`http://${text}`);
  return plain && isLoopback(plain.hostname) ? plain : parsed(`https://${text}`);
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** There may be a password in it. */
function withoutUser(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, "$1…@");
}

/** What a context is called when nobody says otherwise: the host, with its port where one is written. */
export function hostOf(server: string): string {
  return new URL(server).host;
}
