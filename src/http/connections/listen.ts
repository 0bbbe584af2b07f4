// Takes the address and the port, or says in one sentence why it cannot.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Server as TlsServer } from "node:tls";
import { AppError } from "../../domain/errors.ts";

const reasons: Record<string, string> = {
  EADDRINUSE: "another program listens there already; choose another with --port",
  EADDRNOTAVAIL: "this host has no such address",
  EACCES: "not permitted",
  ENOTFOUND: "there is no such host name",
};

/** Answers the URL, without a slash at the end. Throws AppError UNAVAILABLE. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ""] ?? error.message;
      const message = `Cannot listen on ${host}:${port}: ${reason}.`;
      reject(new AppError("UNAVAILABLE", message, { cause: error }));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  const scheme = server instanceof TlsServer ? "https" : "http";
  return `${scheme}://${name}:${address.port}`;
}
