import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { projectFolder } from "../build/project.ts";

/**
 * Returns the variables that scripts/build/built-in.ts reads. PLATFORM_COMMIT ends in `-dirty` if
 * any files differ from the commit. PLATFORM_BUILD_TIME is SOURCE_DATE_EPOCH (Unix seconds) or the
 * time of the commit. Both are absent unless the folder itself is a repository.
 */
export function sourceState(
  env: Record<string, string | undefined>,
  folder = projectFolder,
): Record<string, string | undefined> {
  const ask = isRepository(folder) ? (...words: string[]) => git(folder, ...words) : () => null;
  const commit = ask("rev-parse", "HEAD");
  const isDirty =
    commit !== null && ask("status", "--porcelain", "--untracked-files=normal") !== "";
  const seconds = env.SOURCE_DATE_EPOCH || ask("log", "-1", "--format=%ct");
  return {
    PLATFORM_COMMIT: commit === null ? undefined : `${commit}${isDirty ? "-dirty" : ""}`,
    PLATFORM_BUILD_TIME: seconds === null ? undefined : isoTimeOf(seconds),
    ...withoutEmpty(env),
  };
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

function withoutEmpty(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value));
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
