// The loss of confirmed changes, in the overview and in the response of the route that accepts it.

import { z } from "zod";
import { namedObject } from "../contract/schema-names.ts";
import { timestamp } from "../contract/schemas.ts";

export const dataLoss = namedObject("DataLoss", {
  since: timestamp.describe("When a server noticed that confirmed changes were gone."),
  lostRow: z.int().describe("The number of the newest audit row that is known to be gone."),
  host: z.string().describe("The machine of the server that noticed the loss."),
  acceptedAt: timestamp.nullable().describe("When an owner accepted the loss. Null before that."),
  acceptedBy: z.string().nullable().describe("Who accepted the loss. Null before that."),
});
