import { z } from "zod";
import { namedObject } from "../contract/schema-names.ts";
import { count, idOf, timestamp } from "../contract/schemas.ts";

export const listedSession = namedObject("Session", {
  id: idOf("ses"),
  current: z.boolean().describe("Whether the request belongs to this session."),
  createdAt: timestamp.describe("When the user signed in."),
  lastUsedAt: timestamp.describe("The time of the last use, accurate to the minute."),
  expiresAt: timestamp.describe("When the session ends if it is not used again."),
  ip: z.string().nullable().describe("The address from which the user signed in."),
  userAgent: z
    .string()
    .nullable()
    .describe("The browser or program with which the user signed in."),
});

export const endedSessions = namedObject("EndedSessions", {
  ended: count.describe("How many sessions were ended."),
});
