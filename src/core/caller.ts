import type { ReadingCaller } from "../store/database.ts";

/** The caller of a call that can stay open. */
export interface Caller extends ReadingCaller {
  /** Reports for how many milliseconds the call did nothing but wait. */
  noteHeld?(ms: number): void;
  /** Set only for callers with a WebSocket. */
  readonly outlet?: StreamOutput;
}

export type StreamEnd = "sessionEnded" | "apiKeyEnded" | "stopping" | "rowsLost";

/** Sends messages to the caller of a live stream. */
export interface StreamOutput {
  /** Sends JSON in UTF-8 that several callers share. Drops it if the caller has left. */
  send(message: Uint8Array): void;
  end(why: StreamEnd): void;
}

/** A caller in this process. It never leaves. */
export const presentCaller: Caller = { gone: false, onGone: () => () => undefined };
