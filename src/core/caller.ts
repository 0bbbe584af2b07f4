// The other end of a call that may be held open: is it still there?

/** The caller's end of a call that may be held open. */
export interface Caller {
  /** The connection is closed: nobody will read the answer. */
  readonly gone: boolean;
  /** Calls back once when the caller leaves; answers how to stop listening. */
  onGone(listener: () => void): () => void;
  /** Hears how long the call was held: time that nobody worked for it. */
  noteHeld?(ms: number): void;
}

/** The caller of what runs in process: never leaves. */
export const presentCaller: Caller = { gone: false, onGone: () => () => undefined };
