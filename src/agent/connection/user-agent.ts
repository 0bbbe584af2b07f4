// The User-Agent of the agent's requests.

export const userAgent = "platform-agent";
