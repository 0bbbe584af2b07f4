/**
 * The time between a response and closing the connection if the client is still sending. Closing it
 * earlier would reset it, and the client would lose the response.
 */
export const lingerMs = 500;
