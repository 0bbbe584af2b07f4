/**
 * How long a connection stays open after the response if the client is still sending. Closing it
 * earlier would reset it, and the client would lose the response.
 */
export const lingerMs = 500;
