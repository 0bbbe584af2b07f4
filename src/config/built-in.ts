// The values of VERSION, COMMIT and BUILD_TIME that `npm run build` stored in the program. They are
// empty when the program runs from source.

declare const PLATFORM_BUILT_IN: Readonly<Record<string, string>> | undefined;

/** The values by the names of settings without `PLATFORM_`. */
export const builtIn: Readonly<Record<string, string>> =
  typeof PLATFORM_BUILT_IN === "undefined" ? {} : PLATFORM_BUILT_IN;
