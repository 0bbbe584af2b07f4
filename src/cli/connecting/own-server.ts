// The server of this host, as its settings tell of it: where it listens, and by what it can be trusted.

import { existsSync, readFileSync } from "node:fs";
import type { Config } from "../../config/config.ts";

/** Where `serve` listens, as seen from this host. */
export function listenerUrl({ host, port, tls }: Config): string {
  const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const name = everywhere[host] ?? (host.includes(":") ? `[${host}]` : host);
  return `${tls ? "https" : "http"}://${name}:${port}`;
}

/** A server that is asked on its own host need not have a certificate that others trust. */
export function ownCertificate(config: Config | null): string | null {
  const file = config?.tls?.certFile;
  return file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : null;
}
