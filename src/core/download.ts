// A streamed response: an export, a backup or metrics.

export interface Download {
  /** One of the media types that the route `produces`. */
  contentType: string;
  /** Without a file name, browsers display the response. */
  fileName?: string;
  headers?: Record<string, string>;
  /** When the reader leaves, `return` is called, so that `finally` blocks run. */
  chunks: AsyncIterable<string | Uint8Array>;
}
