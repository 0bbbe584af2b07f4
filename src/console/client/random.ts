/** Fills the bytes with random values that nobody can guess. */
export function fillRandom(bytes: Uint8Array): void {
  // biome-ignore lint/plugin: the one place where the console asks the browser for secure randomness
  crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
}
