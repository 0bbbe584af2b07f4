// What a build writes into the program about itself. Nothing is guessed, so that the same inputs give the
// same bytes: a time or a commit is there when the caller names it.

const names = ["VERSION", "COMMIT", "BUILD_TIME"] as const;

/**
 * By the names of the settings. A release is of the package's version unless PLATFORM_VERSION says
 * otherwise; what is no release and is told nothing calls itself `<semver>-dev`, as from source.
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
