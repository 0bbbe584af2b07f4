/**
 * How long the server waits before it closes a connection on which the client is still sending.
 * Closing it earlier would reset it, and the client would lose the response.
 */
export const lingerMs = 500;
