interface CookieStyle {
  /** Whether browsers reach the server, or the proxy in front of it, over HTTPS. */
  secure: boolean;
}

function sessionCookieName(style: CookieStyle): string {
  return style.secure ? "__Host-platform_session" : "platform_session";
}

export function sessionCookie(style: CookieStyle, value: string): string {
  const secure = style.secure ? "; Secure" : "";
  return `${sessionCookieName(style)}=${value}; HttpOnly; SameSite=Strict; Path=/${secure}`;
}

export function endedSessionCookie(style: CookieStyle): string {
  return `${sessionCookie(style, "")}; Max-Age=0`;
}

/** Returns the value of the session cookie in a Cookie header. */
export function readSessionCookie(style: CookieStyle, header: string | undefined): string | null {
  if (!header) return null;
  const wanted = `${sessionCookieName(style)}=`;
  for (const part of header.split(";")) {
    const pair = part.trim();
    if (pair.startsWith(wanted)) return pair.slice(wanted.length) || null;
  }
  return null;
}
