// A streamed response: an export, a backup or metrics.

export interface Download {
  /** One of the media types that the route `produces`. */
  contentType: string;
  /** The file name for browsers. Without a file name, browsers display the response. */
  fileName?: string;
  /** Additional headers. */
  headers?: Record<string, string>;
  /**
   * The body, produced on demand. When the reader leaves, `return` is called, so that `finally`
   * blocks run.
   */
  chunks: AsyncIterable<string | Uint8Array>;
}
