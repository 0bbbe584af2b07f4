/**
 * Milliseconds from the last response to closing a connection on which the client is still sending.
 * Closing it earlier would reset it, and the client would lose the response.
 */
export const lingerMs = 500;
