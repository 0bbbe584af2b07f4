// The URL of a server, as it is typed and as it is kept.

import { usageError } from "./exit.ts";

export const usualServer = "http://127.0.0.1:8080";

/**
 * The URL in its one spelling: scheme, host, port where it is not the usual one, and a path if there is any,
 * without a slash behind. `host:port` alone means http. Throws a usage error that names `saidBy`.
 */
export function serverUrl(text: string, saidBy: string): string {
  const full = text.includes("://") ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageError(`${saidBy} must be a URL such as ${usualServer}, not ${withoutUser(text)}.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usageError(`${saidBy} must be a URL such as ${usualServer}, without user, ? or #.`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** There may be a password in it. */
function withoutUser(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, "$1…@");
}

/** What a context is called when nobody says otherwise: the host, with its port where one is written. */
export function hostOf(server: string): string {
  return new URL(server).host;
}

/** Whether what is sent there can be read on the way. */
export function isOpenToOthers(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
