export type FillRandom = (bytes: Uint8Array) => void;
