// What a build stores in the program: its version, commit and time. The same commit gives the same
// values.

import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { projectFolder, readPackageFile } from "./project.ts";

type Environment = Record<string, string | undefined>;

/**
 * VERSION is that of package.json if the commit has its tag (`v1.2.3`) and no file differs from the
 * commit, otherwise `<semver>-dev`. COMMIT ends in `-dirty` if a file differs or is untracked.
 * BUILD_TIME is SOURCE_DATE_EPOCH (Unix seconds) or the time of the commit. COMMIT and BUILD_TIME
 * are absent unless the folder itself is a repository. PLATFORM_VERSION, PLATFORM_COMMIT and
 * PLATFORM_BUILD_TIME override the values.
 */
export function builtInFrom(
  env: Environment,
  folder = projectFolder,
  { version }: { version: string } = readPackageFile(),
): Record<string, string> {
  const ask = isRepository(folder) ? (...words: string[]) => git(folder, ...words) : () => null;
  const commit = ask("rev-parse", "HEAD");
  const isDirty =
    commit !== null && ask("status", "--porcelain", "--untracked-files=normal") !== "";
  const tags = ask("tag", "--points-at", "HEAD")?.split("\n") ?? [];
  const isRelease = !isDirty && tags.includes(`v${version}`);
  const seconds = env.SOURCE_DATE_EPOCH || ask("log", "-1", "--format=%ct");
  const found = {
    VERSION: isRelease ? version : `${version}-dev`,
    COMMIT: commit === null ? undefined : `${commit}${isDirty ? "-dirty" : ""}`,
    BUILD_TIME: seconds === null ? undefined : isoTimeOf(seconds),
  };
  const values = Object.entries(found).flatMap(([name, value]) => {
    const used = env[`PLATFORM_${name}`] || value;
    return used === undefined ? [] : [[name, used] as const];
  });
  return Object.fromEntries(values);
}

function isRepository(folder: string): boolean {
  const top = git(folder, "rev-parse", "--show-toplevel");
  return top !== null && realpathSync(top) === realpathSync(folder);
}

function isoTimeOf(seconds: string): string {
  const time = new Date(Number(seconds) * 1000);
  if (/^\d+$/.test(seconds) && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new Error(`SOURCE_DATE_EPOCH is not a number of seconds: ${seconds}`);
}

/** Returns null if Git fails. */
function git(folder: string, ...words: string[]): string | null {
  try {
    return execFileSync("git", words, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}
