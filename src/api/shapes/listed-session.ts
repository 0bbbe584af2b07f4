// A session of an operator as lists show it: one's own, or a user's.

import { z } from "zod";
import { namedObject } from "../contract/schema-names.ts";
import { count, idOf, timestamp } from "../contract/schemas.ts";

export const listedSession = namedObject("Session", {
  id: idOf("ses"),
  current: z.boolean().meta({ description: "The session that asks." }),
  createdAt: timestamp,
  lastUsedAt: timestamp.meta({ description: "To the minute." }),
  expiresAt: timestamp.meta({ description: "Unless it is used before." }),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
});

/** How many were ended. */
export const endedSessions = namedObject("EndedSessions", { ended: count });
