// Where randomness comes from is decided in the wiring; here is only its form.

/** Fills the bytes it is given. */
export type FillRandom = (bytes: Uint8Array) => void;
