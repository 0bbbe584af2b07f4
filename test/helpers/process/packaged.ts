// The packaged file of this commit, when `npm run package` has made it.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { builtInFrom } from "../../../scripts/build/built-in.ts";
import { projectFolder, readPackageFile } from "../../../scripts/build/project.ts";
import { sourceState } from "../../../scripts/package/source-state.ts";
import { thisPlatform } from "../../../scripts/package/targets.ts";
import { hasSealedRooms } from "./sealed-room.ts";

const { VERSION, COMMIT } = builtInFrom(sourceState(process.env), readPackageFile());

/** Where it would be. */
export const packagedFile = join(
  projectFolder,
  `dist/platform-${VERSION}-${thisPlatform()}${process.platform === "win32" ? ".exe" : ""}`,
);

/** Why it cannot be tested; null when it can. `npm run test:binary` makes it first. */
export function whyNotTested(): string | null {
  if (!hasSealedRooms()) return "there are no Linux namespaces for this user";
  if (!existsSync(packagedFile)) return "npm run package has not been run";
  // Nothing is left in the home of who runs the tests.
  const env = { XDG_CACHE_HOME: "/dev/null/cache" };
  const told = execFileSync(packagedFile, ["version", "-o", "json"], { encoding: "utf8", env });
  const { client } = JSON.parse(told);
  if (client.commit !== COMMIT) return "the packaged file is of another commit";
  const isFresh = process.env.npm_lifecycle_event === "test:binary";
  if (/-dirty$/.test(COMMIT ?? "") && !isFresh) return "files have changed since the last commit";
  return null;
}
