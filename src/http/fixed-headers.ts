// Provides the headers for browsers and caches that every response has.

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

/** A browser that has used HTTPS here uses only HTTPS for a year. */
const securityOverHttps = [...security, "Strict-Transport-Security", "max-age=31536000"];

const notKept = ["Cache-Control", "no-store"];
const always = [...notKept, ...security];
const overHttps = [...notKept, ...securityOverHttps];

type Scheme = "https" | "http" | null;

/** In the result, names and values alternate. */
export function fixedHeaders(scheme: Scheme): readonly string[] {
  return scheme === "https" ? overHttps : always;
}

/** Responses with their own Cache-Control header need only these headers. */
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
