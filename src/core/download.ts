// A response that is streamed: an export, a backup, metrics.

export interface Download {
  /** One of the media types that the route `produces`. */
  contentType: string;
  /** The file name for browsers; without it they show the response. */
  fileName?: string;
  /** Additional headers. */
  headers?: Record<string, string>;
  /** The body, produced on demand. A reader that leaves ends it (`return`, so `finally` runs). */
  chunks: AsyncIterable<string | Uint8Array>;
}
