import { isLoopback } from "../lib/host.ts";
import type { Config } from "./config.ts";

/** Each sentence says what can happen, and which setting prevents it. */
export function risksOf({ host, trustProxy, tls, publicUrl }: Config): string[] {
  if (isLoopback(host)) return [];
  const risks: string[] = [];
  if (trustProxy === true) {
    risks.push(
      "PLATFORM_TRUST_PROXY=true trusts the X-Forwarded-* headers of anyone who can reach the port: " +
        "name the proxy's address instead, such as 10.0.0.2.",
    );
  }
  const behindTls = publicUrl?.startsWith("https:") === true && trustProxy !== false;
  if (!tls && !behindTls) {
    risks.push(
      "passwords and tokens travel unencrypted: set PLATFORM_TLS_CERT_FILE and PLATFORM_TLS_KEY_FILE, " +
        "or PLATFORM_PUBLIC_URL and PLATFORM_TRUST_PROXY behind an HTTPS proxy.",
    );
  }
  return risks;
}
