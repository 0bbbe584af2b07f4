export const bumpWords = ["major", "minor", "patch"] as const;
type BumpWord = (typeof bumpWords)[number];

/** SemVer without build metadata, which Debian versions and file names cannot contain. */
const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9a-z]+(\.[0-9a-z]+)*)?$/i;

/**
 * `released` is null before the first release. Throws if `wanted` is neither a version nor a bump
 * word, or is not newer than `released`.
 */
export function nextVersion(wanted: string, current: string, released: string | null): string {
  const version = isBumpWord(wanted) ? bump(current, wanted) : wanted;
  if (!form.test(version)) {
    throw new Error(`${wanted} is neither a version such as 1.2.3 nor ${bumpWords.join(", ")}`);
  }
  if (released !== null && compare(version, released) <= 0) {
    throw new Error(`${version} is not newer than the last release, ${released}`);
  }
  return version;
}

/** Ignores tags that are not versions such as `v1.2.3`. */
export function newestRelease(tags: readonly string[]): string | null {
  const versions = tags.filter((tag) => tag.startsWith("v")).map((tag) => tag.slice(1));
  return (
    versions
      .filter((version) => form.test(version))
      .sort(compare)
      .at(-1) ?? null
  );
}

function isBumpWord(word: string): word is BumpWord {
  return (bumpWords as readonly string[]).includes(word);
}

function bump(version: string, word: BumpWord): string {
  const [major = 0, minor = 0, patch = 0] = numbersOf(version);
  if (word === "major") return `${major + 1}.0.0`;
  if (word === "minor") return `${major}.${minor + 1}.0`;
  // The patch after 1.2.3-rc.1 is 1.2.3.
  return version.includes("-") ? `${major}.${minor}.${patch}` : `${major}.${minor}.${patch + 1}`;
}

function numbersOf(version: string): number[] {
  return (version.split("-")[0] ?? "").split(".").map(Number);
}

/** Returns a negative number if `a` is older. */
function compare(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (const index of [0, 1, 2]) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(preReleaseOf(a), preReleaseOf(b));
}

function preReleaseOf(version: string): string[] {
  const dash = version.indexOf("-");
  return dash === -1 ? [] : version.slice(dash + 1).split(".");
}

function comparePreReleases(a: string[], b: string[]): number {
  // A release is newer than all of its pre-releases.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left, right] = [a[index], b[index]];
    if (left === undefined) return -1;
    if (right === undefined) return 1;
    if (left === right) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
    if (isNumber && isOtherNumber) return Number(left) - Number(right);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return 0;
}
