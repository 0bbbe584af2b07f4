// Checks the certificate authorities that a client trusts in place of the well-known ones.

import { X509Certificate } from "node:crypto";

/** Returns what is wrong with the text as PEM certificates; null if it is valid. */
export function problemOfCa(pem: string): string | null {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!certificates) return "contains no PEM certificate";
  try {
    for (const one of certificates) new X509Certificate(one);
    return null;
  } catch {
    return "contains a certificate that cannot be parsed";
  }
}
