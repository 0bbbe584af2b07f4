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

/** Where an object is declared, in the replies of everything that can be. (docs/declarations.md) */
export const declaredIn = place
  .nullable()
  .describe(
    "The declarations that contain the object: the next apply of their set reverses other changes. " +
      "Null if it was made by hand.",
  );

/** The same for settings, which have no rows of their own. */
export const settingsDeclaredIn = z
  .record(z.string(), place)
  .describe("The declarations that contain settings, by the names of the settings.");
