import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTlsPair } from "../../src/config/tls-files.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { certificateFiles, certificatePair } from "../helpers/http/https.ts";

const { certFile, keyFile } = certificateFiles("first");

test("a certificate and its key are read unchanged", async () => {
  expect(await readTlsPair({ certFile, keyFile })).toEqual(certificatePair("first"));
});

test("a chain in one file is accepted", async () => {
  const file = join(temporaryFolder(), "chain.crt");
  const chain = certificatePair("first").cert + certificatePair("second").cert;
  writeFileSync(file, chain);
  expect((await readTlsPair({ certFile: file, keyFile })).cert).toBe(chain);
});

describe("unusable files are reported with the variable, the file and an example", () => {
  const other = certificateFiles("second").keyFile;
  const put = (name: string, text: string) => {
    const file = join(temporaryFolder(), name);
    writeFileSync(file, text);
    return file;
  };
  const encrypted = keyFile.replace("first", "first-encrypted");
  const half = certificatePair("first").cert.slice(0, 300);

  test.each<["CERT" | "KEY", message: string, files: () => object]>([
    ["CERT", "/nowhere/a cannot be read: it does not exist", () => ({ certFile: "/nowhere/a" })],
    ["KEY", "/nowhere/a cannot be read: it does not exist", () => ({ keyFile: "/nowhere/a" })],
    ["CERT", "it is a folder", () => ({ certFile: "/" })],
    ["CERT", "empty.pem contains no PEM certificate", () => ({ certFile: put("empty.pem", "") })],
    ["CERT", "cut.pem contains no PEM certificate", () => ({ certFile: put("cut.pem", half) })],
    [
      "CERT",
      "first.key contains no PEM certificate",
      () => ({ certFile: keyFile, keyFile: certFile }),
    ],
    ["KEY", "empty.pem contains no PEM private key", () => ({ keyFile: put("empty.pem", "") })],
    ["KEY", "has a passphrase; use a key without one", () => ({ keyFile: encrypted })],
    ["KEY", "second.key is not the key of the certificate in ", () => ({ keyFile: other })],
  ])("%s: %s", async (variable, message, files) => {
    const error = await readTlsPair({ certFile, keyFile, ...files() }).catch((thrown) => thrown);
    expect(error.variable).toBe(`TLS_${variable}_FILE`);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("PRIVATE KEY");
    expect(error.message).toMatch(
      /^PLATFORM_\w+: [^\n]+ \(for example: \/etc\/platform\/tls\.\w+\)$/,
    );
  });

  test.skipIf(process.getuid?.() === 0)("a key without read permission is reported", async () => {
    const file = join(temporaryFolder(), "closed.key");
    writeFileSync(file, certificatePair("first").key);
    chmodSync(file, 0);
    await expect(readTlsPair({ certFile, keyFile: file })).rejects.toThrow(/permission denied/);
  });
});
