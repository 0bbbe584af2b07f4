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

/** Returns the server's URL without a trailing slash. Throws AppError UNAVAILABLE. */
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
