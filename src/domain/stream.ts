// What the live stream tells of. (`decisions.md` 5 "Stream")

export const streamTypes = ["audit", "command", "agent", "service"] as const;
export type StreamType = (typeof streamTypes)[number];
