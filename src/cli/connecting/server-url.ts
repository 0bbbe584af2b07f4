// Parses the URL of a server that a user types.

import { isLoopback } from "../../lib/host.ts";
import { hasMoreThanPlace } from "../../lib/server-url.ts";
import { usageError } from "../exit.ts";

export const usualServer = "http://127.0.0.1:8080";

/** Returns the URL with a scheme, but without a default port or a trailing slash. */
export function serverUrl(text: string, source: string): string {
  const url = text.includes("://") ? parsed(text) : withScheme(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageError(`${source} must be a URL such as ${usualServer}, not ${withoutUser(text)}.`);
  }
  if (hasMoreThanPlace(text)) {
    throw usageError(`${source} must be a URL such as ${usualServer}, without user, ? or #.`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** The default is https, so that a carelessly typed URL does not send a password unencrypted. */
function withScheme(text: string): URL | null {
  const plain = parsed(`http://${text}`);
  return plain && isLoopback(plain.hostname) ? plain : parsed(`https://${text}`);
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** Removes the user, because a password may be part of it. */
function withoutUser(text: string): string {
  return text.replace(/^(\s*[a-z][a-z0-9+.-]*:\/+)?.*@/is, "$1…@");
}

/** The default name of a context. */
export function hostOf(server: string): string {
  return new URL(server).host;
}
