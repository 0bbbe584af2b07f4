// The certificate and key of a TLS server.

/** Both in PEM; `cert` includes the intermediate certificates. */
export interface TlsPair {
  cert: string;
  key: string;
}
