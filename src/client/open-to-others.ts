import { isLoopback } from "./proxy.ts";

export function isOpenToOthers(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !isLoopback(hostname);
}
