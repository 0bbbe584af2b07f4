// What every answer says to browsers and caches, whatever it answers. (`trust.md` "HTTP")

const always = [
  "Cache-Control",
  "no-store",
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
const overHttps = [...always, "Strict-Transport-Security", "max-age=31536000"];

/** Names and values in turn. Over plain HTTP nobody may be told to come over HTTPS. */
export function fixedHeaders(scheme: "https" | "http" | null): readonly string[] {
  return scheme === "https" ? overHttps : always;
}
