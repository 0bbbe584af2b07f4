// What every answer says to browsers and caches, whatever it answers.

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

/** For a year, a browser that was here over HTTPS comes over nothing else. */
const securityOverHttps = [...security, "Strict-Transport-Security", "max-age=31536000"];

const notKept = ["Cache-Control", "no-store"];
const always = [...notKept, ...security];
const overHttps = [...notKept, ...securityOverHttps];

type Scheme = "https" | "http" | null;

/** Names and values in turn. Over plain HTTP nobody may be told to come over HTTPS. */
export function fixedHeaders(scheme: Scheme): readonly string[] {
  return scheme === "https" ? overHttps : always;
}

/** The same for an answer that caches may keep: it says for how long by itself. */
export function securityHeaders(scheme: Scheme): readonly string[] {
  return scheme === "https" ? securityOverHttps : security;
}
