// Where routes, schedules, policies, views and settings are declared. (docs/guides/declarations.md)

import { z } from "zod";
import { namedObject } from "../contract/schema-names.ts";

const place = namedObject("DeclaredIn", {
  set: z.string().describe("The name of the set of declarations."),
  file: z
    .string()
    .nullable()
    .describe(
      "The name of the file when the set was last applied. If the name is unknown, this is " +
        "null until the set is applied again.",
    ),
});

/** For responses that contain an object. */
export const declaredIn = place
  .nullable()
  .describe(
    "Where the object is declared. The next apply of this set reverses changes that were made in " +
      "other ways. Null if the object is not declared.",
  );

/** For the settings. Each of them can be declared in a different set. */
export const settingsDeclaredIn = z
  .record(z.string(), place)
  .describe("The declarations that contain settings. The keys are the names of the settings.");
