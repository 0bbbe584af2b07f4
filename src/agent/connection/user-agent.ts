export const userAgent = "platform-agent";
