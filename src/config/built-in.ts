// A build stores the version, commit and time in the program (scripts/build/built-in.ts). A program
// that runs from source has none of them.

export const builtInNames = ["VERSION", "COMMIT", "BUILD_TIME"] as const;

declare const PLATFORM_BUILT_IN: Readonly<Record<string, string>> | undefined;

export const builtIn: Readonly<Record<string, string>> =
  typeof PLATFORM_BUILT_IN === "undefined" ? {} : PLATFORM_BUILT_IN;
