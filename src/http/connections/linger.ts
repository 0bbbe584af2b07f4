// How long a connection stays open after its last response.

/** Closing a connection on which the client still sends would reset it, and discard the response. */
export const lingerMs = 500;
