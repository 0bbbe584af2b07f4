// What `npm run build` wrote into the program: VERSION, COMMIT and BUILD_TIME, those that were given.
// From source there is nothing.

declare const PLATFORM_BUILT_IN: Readonly<Record<string, string>> | undefined;

/** By the names of the settings, without `PLATFORM_`. */
export const builtIn: Readonly<Record<string, string>> =
  typeof PLATFORM_BUILT_IN === "undefined" ? {} : PLATFORM_BUILT_IN;
