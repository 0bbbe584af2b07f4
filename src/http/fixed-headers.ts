// The headers of every response for browsers and caches.

const security = [
  "X-Content-Type-Options",
  "nosniff",
  "Referrer-Policy",
  "no-referrer",
  "Cross-Origin-Opener-Policy",
  "same-origin",
  "Cross-Origin-Resource-Policy",
  "same-origin",
];

/** For a year, a browser that has used HTTPS here uses only HTTPS. */
const securityOverHttps = [...security, "Strict-Transport-Security", "max-age=31536000"];

const notKept = ["Cache-Control", "no-store"];
const always = [...notKept, ...security];
const overHttps = [...notKept, ...securityOverHttps];

type Scheme = "https" | "http" | null;

/** Names and values alternate. Strict-Transport-Security is sent only over HTTPS. */
export function fixedHeaders(scheme: Scheme): readonly string[] {
  return scheme === "https" ? overHttps : always;
}

/** For responses with a Cache-Control header of their own. */
export function securityHeaders(scheme: Scheme): readonly string[] {
  return scheme === "https" ? securityOverHttps : security;
}

export function jsonHeaders(bytes: number, scheme: Scheme): string[] {
  return [
    "Content-Type",
    "application/json; charset=utf-8",
    "Content-Length",
    String(bytes),
    ...fixedHeaders(scheme),
  ];
}
