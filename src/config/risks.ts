// Settings that work and are dangerous where others can reach the port. `serve` logs them at its start,
// `platform doctor` shows them.

import type { Config } from "./config.ts";

/** A sentence for each: what can happen, and the setting that prevents it. */
export function risksOf({ host, trustProxy, tls, publicUrl }: Config): string[] {
  if (isLoopback(host)) return [];
  const risks: string[] = [];
  if (trustProxy === true) {
    risks.push(
      "PLATFORM_TRUST_PROXY=true believes the X-Forwarded-* headers of whoever reaches the port: " +
        "name the proxy's address instead, such as 10.0.0.2.",
    );
  }
  const behindTls = publicUrl?.startsWith("https:") === true && trustProxy !== false;
  if (!tls && !behindTls) {
    risks.push(
      "passwords and tokens travel unencrypted: set PLATFORM_TLS_CERT_FILE and PLATFORM_TLS_KEY_FILE, " +
        "or PLATFORM_PUBLIC_URL and PLATFORM_TRUST_PROXY behind a proxy that speaks HTTPS.",
    );
  }
  return risks;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
