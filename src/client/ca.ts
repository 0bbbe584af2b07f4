import { X509Certificate } from "node:crypto";

/** Returns why the text is not a list of PEM certificates; null if it is valid. */
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
