// The caller of a call that can stay open.

/** The caller of a call that can stay open. */
export interface Caller {
  /** The connection is closed, so nobody will read the response. */
  readonly gone: boolean;
  /** Calls back once when the caller leaves; returns how to stop listening. */
  onGone(listener: () => void): () => void;
  /** Is called with the time that the call only waited. */
  noteHeld?(ms: number): void;
  /** Only callers with a WebSocket have an outlet for messages. */
  readonly outlet?: Outlet;
}

export type StreamEnd = "sessionEnded" | "apiKeyEnded" | "stopping";

/** The caller of a live stream. */
export interface Outlet {
  /** Sends a message (JSON in UTF-8) that others share; drops it if the caller has left. */
  send(message: Uint8Array): void;
  /** Ends the stream. */
  end(why: StreamEnd): void;
}

/** A caller in this process, which never leaves. */
export const presentCaller: Caller = { gone: false, onGone: () => () => undefined };
