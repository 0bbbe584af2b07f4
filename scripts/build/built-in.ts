// The time and the commit are included only if the caller passes them, so that the same inputs give
// the same bytes.

const names = ["VERSION", "COMMIT", "BUILD_TIME"] as const;

/** The default version is the package's version for a release, otherwise `<semver>-dev`. */
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
