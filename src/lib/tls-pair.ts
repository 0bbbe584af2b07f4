/** Both values are in PEM format. `cert` includes the intermediate certificates. */
export interface TlsPair {
  cert: string;
  key: string;
}
