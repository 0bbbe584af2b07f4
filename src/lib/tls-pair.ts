/** Both are in PEM. `cert` includes the intermediate certificates. */
export interface TlsPair {
  cert: string;
  key: string;
}
