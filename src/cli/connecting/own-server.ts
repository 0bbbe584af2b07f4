// The server of this host, according to its settings: where it listens, and its certificate.

import { existsSync, readFileSync } from "node:fs";
import type { Config } from "../../config/config.ts";

/** Where `serve` listens, for clients on this host. */
export function listenerUrl({ host, port, tls }: Config): string {
  const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const name = everywhere[host] ?? (host.includes(":") ? `[${host}]` : host);
  return `${tls ? "https" : "http"}://${name}:${port}`;
}

/** The certificate to trust for it. Other hosts need not trust it. */
export function ownCertificate(config: Config | null): string | null {
  const file = config?.tls?.certFile;
  return file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : null;
}
