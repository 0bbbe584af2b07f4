// This host's server, according to its settings.

import { existsSync, readFileSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import type { Place } from "../../domain/storage/place.ts";
import type { Io } from "../terminal/io.ts";
import { usualServer } from "./server-url.ts";

/** The URL at which clients on this host reach `serve`. */
export function listenerUrl({ host, port, tls }: Pick<Config, "host" | "port" | "tls">): string {
  const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const name = everywhere[host] ?? (host.includes(":") ? `[${host}]` : host);
  return `${tls ? "https" : "http"}://${name}:${port}`;
}

/** Where a server with this environment would listen, or the default if that is unknown. */
export async function usualServerOf({ env }: Io): Promise<string> {
  const { listenerIn } = await import("../../config/config.ts");
  const { ConfigError } = await import("../../config/config-error.ts");
  try {
    const listener = listenerIn(env);
    return listener.port === 0 ? usualServer : listenerUrl(listener);
  } catch (error) {
    // Kubernetes sets PLATFORM_PORT to a URL for a Service with the name platform.
    if (error instanceof ConfigError) return usualServer;
    throw error;
  }
}

/** The certificate that clients on this host trust. */
export function ownCertificate(config: Config | null): string | null {
  const file = config?.tls?.certFile;
  return file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** Returns the id that this host's server reports in its health; null if its key is unreadable. */
export async function ownInstallationId({ auditKeyFile }: Place): Promise<string | null> {
  const { installationIdOf, loadKey } = await import("../../store/files/key-files.ts");
  try {
    return installationIdOf(loadKey(auditKeyFile));
  } catch {
    return null;
  }
}
