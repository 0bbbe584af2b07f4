// How long a connection stays open after its last answer.

/** Closing at once on one who still sends resets the connection, and the answer is lost with it. */
export const lingerMs = 500;
