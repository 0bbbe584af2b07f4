// Where routes, schedules, policies, views and settings are declared. (docs/declarations.md)

import { z } from "zod";
import { namedObject } from "../contract/schema-names.ts";

const place = namedObject("DeclaredIn", {
  set: z.string().describe("The name of the set of declarations."),
  file: z
    .string()
    .nullable()
    .describe(
      "The file, as the last apply named it. Null until the next apply of the set, if unknown.",
    ),
});

/** For responses that contain an object. */
export const declaredIn = place
  .nullable()
  .describe(
    "The declarations that contain the object. The next apply of their set reverses changes that " +
      "were made in other ways. Null if the object is not declared.",
  );

/** For the settings. Each of them can be declared in a different set. */
export const settingsDeclaredIn = z
  .record(z.string(), place)
  .describe("The declarations that contain settings, by the names of the settings.");
