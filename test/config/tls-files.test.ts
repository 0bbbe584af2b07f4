// A certificate and a key that can be used, and how each other case is told.

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTlsPair } from "../../src/config/tls-files.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { certificateFiles, certificatePair } from "../helpers/http/https.ts";

const { certFile, keyFile } = certificateFiles("first");

test("a pair is read as it is", async () => {
  expect(await readTlsPair({ certFile, keyFile })).toEqual(certificatePair("first"));
});

test("a chain in one file is fine", async () => {
  const file = join(temporaryFolder(), "chain.crt");
  const chain = certificatePair("first").cert + certificatePair("second").cert;
  writeFileSync(file, chain);
  expect((await readTlsPair({ certFile: file, keyFile })).cert).toBe(chain);
});

describe("what cannot be used is told with the variable, the file and an example", () => {
  const other = certificateFiles("second").keyFile;
  const empty = () => {
    const file = join(temporaryFolder(), "empty.pem");
    writeFileSync(file, "");
    return file;
  };
  const cut = () => {
    const file = join(temporaryFolder(), "cut.pem");
    writeFileSync(file, certificatePair("first").cert.slice(0, 300));
    return file;
  };

  test.each<{ name: string; files: () => object; variable: string; says: RegExp }>([
    {
      name: "no certificate file",
      files: () => ({ certFile: "/nowhere/a.crt" }),
      variable: "TLS_CERT_FILE",
      says: /\/nowhere\/a\.crt cannot be read: it does not exist/,
    },
    {
      name: "no key file",
      files: () => ({ keyFile: "/nowhere/a.key" }),
      variable: "TLS_KEY_FILE",
      says: /\/nowhere\/a\.key cannot be read: it does not exist/,
    },
    {
      name: "a folder",
      files: () => ({ certFile: "/" }),
      variable: "TLS_CERT_FILE",
      says: /it is a folder/,
    },
    {
      name: "an empty certificate",
      files: () => ({ certFile: empty() }),
      variable: "TLS_CERT_FILE",
      says: /empty\.pem contains no PEM certificate/,
    },
    {
      name: "half a certificate",
      files: () => ({ certFile: cut() }),
      variable: "TLS_CERT_FILE",
      says: /cut\.pem contains no PEM certificate/,
    },
    {
      name: "the two in each other's place",
      files: () => ({ certFile: keyFile, keyFile: certFile }),
      variable: "TLS_CERT_FILE",
      says: /first\.key contains no PEM certificate/,
    },
    {
      name: "an empty key",
      files: () => ({ keyFile: empty() }),
      variable: "TLS_KEY_FILE",
      says: /empty\.pem contains no PEM private key/,
    },
    {
      name: "a key with a passphrase",
      files: () => ({ keyFile: keyFile.replace("first", "first-encrypted") }),
      variable: "TLS_KEY_FILE",
      says: /has a passphrase; use a key without one/,
    },
    {
      name: "the key of another certificate",
      files: () => ({ keyFile: other }),
      variable: "TLS_KEY_FILE",
      says: /second\.key is not the key of the certificate in .*first\.crt/,
    },
  ])("$name", async ({ files, variable, says }) => {
    const error = await readTlsPair({ certFile, keyFile, ...files() }).catch((thrown) => thrown);
    expect(error.variable).toBe(variable);
    expect(error.message).toMatch(says);
    expect(error.message).toMatch(
      /^PLATFORM_\w+: [^\n]+ \(for example: \/etc\/platform\/tls\.\w+\)$/,
    );
  });

  test.skipIf(process.getuid?.() === 0)("a key that we may not read", async () => {
    const file = join(temporaryFolder(), "closed.key");
    writeFileSync(file, certificatePair("first").key);
    chmodSync(file, 0);
    await expect(readTlsPair({ certFile, keyFile: file })).rejects.toThrow(/permission denied/);
  });
});
