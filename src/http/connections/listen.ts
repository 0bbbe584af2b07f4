import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Server as TlsServer } from "node:tls";
import { AppError } from "../../domain/errors.ts";

const reasons: Record<string, string> = {
  EADDRINUSE: "another program already listens there; choose another port with --port",
  EADDRNOTAVAIL: "this host does not have this address",
  EACCES: "not permitted",
  ENOTFOUND: "the host name does not exist",
};

/**
 * How many connections the system holds until the server accepts them. Node's default of 511 is too
 * few when a fleet comes back after an outage. Linux holds at most `net.core.somaxconn`.
 */
const backlog = 4096;

/** Returns the server's URL without a trailing slash. Throws AppError UNAVAILABLE. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ""] ?? error.message;
      const message = `Cannot listen on ${host}:${port}: ${reason}.`;
      reject(new AppError("UNAVAILABLE", message, { cause: error }));
    });
    server.listen({ port, host, backlog }, () => resolve(server.address() as AddressInfo));
  });
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  const scheme = server instanceof TlsServer ? "https" : "http";
  return `${scheme}://${name}:${address.port}`;
}
