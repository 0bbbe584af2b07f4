// What a server needs to speak TLS.

/** Both in PEM; the certificate with those between it and its root. */
export interface TlsPair {
  cert: string;
  key: string;
}
