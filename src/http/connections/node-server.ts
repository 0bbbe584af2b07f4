// The server of node:http or node:https, with the limits that Node itself enforces.

import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { TlsPair } from "../../lib/tls-pair.ts";
import { isStreamUpgrade } from "../stream.ts";
import { secureContextOf, tlsSettings } from "./tls.ts";

const settings: ServerOptions = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  // Node checks the timeouts this often, so a timeout can take this much longer.
  connectionsCheckingInterval: 5_000,
  insecureHTTPParser: false,
  // `checkHeaders` refuses a missing host instead, with a response in the envelope.
  requireHostHeader: false,
  shouldUpgradeCallback: isStreamUpgrade,
  noDelay: true,
};

export interface NodeServer {
  server: Server;
  /** Throws if the pair is unusable. Does not affect open connections. Does nothing without TLS. */
  useCertificate(pair: TlsPair): void;
}

export function createNodeServer(tls: TlsPair | undefined): NodeServer {
  if (!tls) return { server: createServer(settings), useCertificate: () => undefined };
  const server = createTlsServer({ ...settings, ...tlsSettings(tls) });
  return { server, useCertificate: (pair) => server.setSecureContext(secureContextOf(pair)) };
}
