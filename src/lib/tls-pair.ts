// The certificate and key of a TLS server.

/** A certificate and its key, both in PEM. `cert` includes the intermediate certificates. */
export interface TlsPair {
  cert: string;
  key: string;
}
