// Certificates for tests, and requests to a server that uses HTTPS.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { type Agent, request } from "node:https";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { TlsPair } from "../../../src/lib/tls-pair.ts";

export type CertificateName = "first" | "second" | "elsewhere" | "self-signed";

const folder = join(import.meta.dirname, "certificates");

export const caFile = join(folder, "ca.crt");
export const ca = readFileSync(caFile, "utf8");

export function certificateFiles(name: CertificateName): { certFile: string; keyFile: string } {
  return { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
}

export function certificatePair(name: CertificateName): TlsPair {
  const { certFile, keyFile } = certificateFiles(name);
  return { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
}

export interface HttpsAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: responses of all shapes
  body: any;
}

/** Sends one request that trusts the test CA, on a new connection unless `agent` keeps one open. */
export async function sendHttps(
  url: string,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: unknown; agent?: Agent } = {},
): Promise<HttpsAnswer> {
  const { body, agent = false } = options;
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const headers = { ...type, ...options.headers };
  // Without `servername`, the name in the Host header would be checked against the certificate.
  const asked = request(url + path, { method, headers, ca, servername: "localhost", agent });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await json(answer) };
}
