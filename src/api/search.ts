import { z } from "zod";
import { maxRowsSearched, searchedRows, searchLimit } from "../domain/limits.ts";
import { searchedNounNames } from "../domain/search.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { dangerLevel, wholeNumberQuery } from "./contract/schemas.ts";

const result = namedObject("SearchResult", {
  noun: named("SearchedNoun", z.enum(searchedNounNames)).describe("The kind of item."),
  id: z.string().describe("The id of the item."),
  title: z.string().describe("The item's code, or its name if it has no code."),
  about: z
    .string()
    .nullable()
    .describe("The name, if `title` is a code; otherwise another fact about the item."),
  status: z.string().nullable().describe("The status or the state, if the item has one."),
  action: namedObject("SearchedAction", {
    name: z.string(),
    label: z.string(),
    dangerLevel,
  })
    .nullable()
    .describe(
      "Set if the result is an action of a service. In this case, `id` is the id of the service.",
    ),
});

export const search = defineRoutes({
  "search.find": {
    method: "GET",
    path: "/api/admin/search",
    access: "viewer",
    summary: "Find services, agents, actions and everything else that has a name or an id",
    description:
      "The search finds items whose code and name together contain every word of `q`, and " +
      "items whose id begins with `q`. Commands and events of the bus are found only by id. " +
      "Several words, such as `restart web-3`, also find an action of a service, if the " +
      "caller may run actions. Items that the caller is not allowed to list are omitted. The best " +
      `results come first. The search reads at most ` +
      `${searchedRows.toLocaleString("en-US")} services, ` +
      `${searchedRows.toLocaleString("en-US")} agents, and the newest ` +
      `${maxRowsSearched.toLocaleString("en-US")} items of every other kind. ` +
      "Beyond these limits, it still finds items whose id begins with `q`, and services and " +
      "agents whose code begins with `q`.",
    query: z.object({
      q: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .describe("The text to search for. Case does not matter."),
      limit: wholeNumberQuery(1, searchLimit.max, searchLimit.default).describe(
        "The maximum number of results.",
      ),
    }),
    reply: z.array(result),
  },
});
