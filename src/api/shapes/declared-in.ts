// Where routes, schedules, policies, views and settings are declared. (docs/guides/declarations.md)

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
    "The declarations that contain the object: the next apply of their set reverses other changes. " +
      "Null if it was made by hand.",
  );

/** For the settings, each of which can be declared in another set. */
export const settingsDeclaredIn = z
  .record(z.string(), place)
  .describe("The declarations that contain settings, by the names of the settings.");
