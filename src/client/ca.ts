// Whom a client trusts in place of the well-known authorities.

import { X509Certificate } from "node:crypto";

/** What is wrong with the text as a bundle of certificates in PEM; null when it will do. */
export function problemOfCa(pem: string): string | null {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!certificates) return "holds no certificate in PEM form";
  try {
    for (const one of certificates) new X509Certificate(one);
    return null;
  } catch {
    return "holds a certificate that cannot be read";
  }
}
