// This host's server, according to its settings.

import { existsSync, readFileSync } from "node:fs";
import type { Config } from "../../config/config.ts";

/** The URL at which clients on this host reach `serve`. */
export function listenerUrl({ host, port, tls }: Config): string {
  const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const name = everywhere[host] ?? (host.includes(":") ? `[${host}]` : host);
  return `${tls ? "https" : "http"}://${name}:${port}`;
}

/** The certificate that clients on this host trust. */
export function ownCertificate(config: Config | null): string | null {
  const file = config?.tls?.certFile;
  return file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : null;
}
