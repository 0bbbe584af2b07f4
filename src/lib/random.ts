// The type of the random source, which app.ts provides.

export type FillRandom = (bytes: Uint8Array) => void;
