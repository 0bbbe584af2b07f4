// Reads the certificate and its key, at the start and whenever the files change.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { fileProblem } from "../lib/files/file-problem.ts";
import type { TlsPair } from "../lib/tls-pair.ts";
import { ConfigError } from "./config-error.ts";
import { variables } from "./variables.ts";

export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

type Which = "TLS_CERT_FILE" | "TLS_KEY_FILE";

/** Throws ConfigError. */
export async function readTlsPair({ certFile, keyFile }: TlsFiles): Promise<TlsPair> {
  const cert = await readPem("TLS_CERT_FILE", certFile);
  const key = await readPem("TLS_KEY_FILE", keyFile);
  const certificate = attempt(() => new X509Certificate(cert));
  if (!certificate) throw refusal("TLS_CERT_FILE", `${certFile} contains no PEM certificate`);
  const privateKey = attempt(() => createPrivateKey(key));
  if (!privateKey) throw refusal("TLS_KEY_FILE", `${keyFile} ${problemOfKey(key)}`);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw refusal("TLS_KEY_FILE", `${keyFile} is not the key of the certificate in ${certFile}`);
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw refusal("TLS_CERT_FILE", `${certFile} cannot be used: ${(error as Error).message}`);
  }
  return { cert, key };
}

async function readPem(which: Which, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw refusal(which, `${file} cannot be read: ${fileProblem(error)}`);
  }
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function problemOfKey(pem: string): string {
  if (pem.includes("ENCRYPTED")) return "has a passphrase; use a key without one";
  return "contains no PEM private key";
}

function refusal(which: Which, problem: string): ConfigError {
  return new ConfigError(which, problem, variables[which].example);
}
