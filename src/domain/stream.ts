export const streamTypes = ["audit", "command", "agent", "service"] as const;
export type StreamType = (typeof streamTypes)[number];
