// How long a connection stays open after its last response.

/**
 * Milliseconds. If the client is still sending, closing the connection earlier would reset it and
 * discard the response.
 */
export const lingerMs = 500;
