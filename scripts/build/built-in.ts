// What a build stores in the program about the build. The time and the commit are included only if
// the caller passes them, so that the same inputs give the same bytes.

const names = ["VERSION", "COMMIT", "BUILD_TIME"] as const;

/**
 * Returns the values by setting. A release has the package's version unless PLATFORM_VERSION is
 * set. The default version of any other build is `<semver>-dev`, as for the sources.
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
