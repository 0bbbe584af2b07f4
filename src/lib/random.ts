// The type of the source of randomness, which app.ts provides.

export type FillRandom = (bytes: Uint8Array) => void;
