/** The caller of a call that can stay open. */
export interface Caller {
  /** Whether the connection is closed, so that nobody will read the response. */
  readonly gone: boolean;
  /** Calls `listener` once when the caller leaves. Returns a function that removes the listener. */
  onGone(listener: () => void): () => void;
  /** Reports for how many milliseconds the call did nothing but wait. */
  noteHeld?(ms: number): void;
  /** Set only for callers with a WebSocket. */
  readonly outlet?: StreamOutput;
}

export type StreamEnd = "sessionEnded" | "apiKeyEnded" | "stopping";

/** Sends messages to the caller of a live stream. */
export interface StreamOutput {
  /** Sends JSON in UTF-8 that several callers share. Drops it if the caller has left. */
  send(message: Uint8Array): void;
  end(why: StreamEnd): void;
}

/** A caller in this process, which never leaves. */
export const presentCaller: Caller = { gone: false, onGone: () => () => undefined };
