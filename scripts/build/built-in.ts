// What a build writes into the program about itself. Nothing is guessed, so that the same inputs give the
// same bytes: the time and the commit are included only if the caller passes them.

const names = ["VERSION", "COMMIT", "BUILD_TIME"] as const;

/**
 * Keyed by setting. A release has the package's version unless PLATFORM_VERSION is set. Any other build
 * has the version `<semver>-dev` by default, like the sources.
 */
export function builtInFrom(
  env: Record<string, string | undefined>,
  release: { version: string } | null,
): Record<string, string> {
  const given = names.flatMap((name) => {
    const value = env[`PLATFORM_${name}`];
    return value ? [[name, value] as const] : [];
  });
  return { ...(release ? { VERSION: release.version } : {}), ...Object.fromEntries(given) };
}
