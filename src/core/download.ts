// An answer that is sent as it is made: an export, a backup, a page of numbers.

export interface Download {
  /** One of the media types that the route `produces`. */
  contentType: string;
  /** The name that a browser saves it under; absent: it is shown, not saved. */
  fileName?: string;
  /** More about it, by header names. */
  headers?: Record<string, string>;
  /**
   * The body, made while it is read: a reader that pauses pauses the making, and one that leaves ends
   * it (`return`, so `finally` runs).
   */
  chunks: AsyncIterable<string | Uint8Array>;
}
