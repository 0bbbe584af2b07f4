// `npm run build` stores VERSION, COMMIT and BUILD_TIME in the program.

declare const PLATFORM_BUILT_IN: Readonly<Record<string, string>> | undefined;

export const builtIn: Readonly<Record<string, string>> =
  typeof PLATFORM_BUILT_IN === "undefined" ? {} : PLATFORM_BUILT_IN;
