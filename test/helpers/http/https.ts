// Certificates for tests, and requests to a server that uses HTTPS.

import { readFileSync } from "node:fs";
import { type Agent, request } from "node:https";
import { join } from "node:path";
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
export function sendHttps(
  url: string,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: unknown; agent?: Agent } = {},
): Promise<HttpsAnswer> {
  const text = options.body === undefined ? undefined : JSON.stringify(options.body);
  const headers = {
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const asked = request(
      url + path,
      // Otherwise, the name in the Host header would be checked against the certificate.
      { method, headers, ca, servername: "localhost", agent: options.agent ?? false },
      (answer) => {
        let received = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          received += chunk;
        });
        answer.on("error", reject);
        answer.on("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: JSON.parse(received),
          }),
        );
      },
    );
    asked.on("error", reject);
    asked.end(text);
  });
}
