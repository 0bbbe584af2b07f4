// How an agent calls itself in each of its requests.

export const userAgent = "platform-agent";
