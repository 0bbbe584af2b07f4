// Finds the packaged file of this commit, if `npm run package` has created it.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { builtInFrom } from "../../../scripts/build/built-in.ts";
import { projectFolder } from "../../../scripts/build/project.ts";
import { thisPlatform } from "../../../scripts/package/targets.ts";
import { hasSealedRooms } from "./sealed-room.ts";

const { VERSION, COMMIT } = builtInFrom(process.env);

/** The path of the packaged file, which may not exist. */
export const packagedFile = packagedFor(thisPlatform());

/** The path of the file for a platform such as `linux-arm64`, which may not exist. */
export function packagedFor(platform: string): string {
  const suffix = platform.startsWith("win") ? ".exe" : "";
  return join(projectFolder, `dist/platform-${VERSION}-${platform}${suffix}`);
}

/** Returns why the packaged file cannot be tested, or null if it can. */
export function whyNotTested(): string | null {
  if (!hasSealedRooms()) return "this user may not create Linux namespaces";
  if (!existsSync(packagedFile)) return "npm run package has not been run";
  // Nothing is unpacked into the home folder of the user who runs the tests.
  const env = { XDG_CACHE_HOME: "/dev/null/cache" };
  const told = execFileSync(packagedFile, ["version", "-o", "json"], { encoding: "utf8", env });
  const { client } = JSON.parse(told);
  if (client.commit !== COMMIT) return "the packaged file was built from another commit";
  const isFresh = process.env.npm_lifecycle_event === "test:binary";
  if (/-dirty$/.test(COMMIT ?? "") && !isFresh) return "files have changed since the last commit";
  return null;
}
