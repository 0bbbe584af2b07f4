// Updates CHANGELOG.md (Keep a Changelog) for a release: the entries under "Unreleased" move to a section with
// the version and the date.

const unreleased = "## Unreleased";

export interface ReleasedChangelog {
  /** The whole file. */
  text: string;
  /** The new section without its heading. */
  notes: string;
}

/**
 * Returns the changelog of the release. If a section of that version exists, as before the first release, it
 * gets the date instead. Throws if there is nothing to release, or two places for it.
 */
export function releaseChangelog(text: string, version: string, date: string): ReleasedChangelog {
  const heading = `## ${version} - ${date}`;
  const entries = sectionOf(text, unreleased);
  if (entries === null) throw new Error(`CHANGELOG.md has no section "${unreleased}"`);
  const existing = headingOf(text, version);
  if (existing === null) {
    if (entries === "") throw new Error('CHANGELOG.md says nothing under "Unreleased"');
    const moved = text.replace(`${unreleased}\n`, () => `${unreleased}\n\n${heading}\n`);
    return { text: moved, notes: entries };
  }
  if (entries !== "") {
    throw new Error(
      `CHANGELOG.md has a section ${version} already, and entries under "Unreleased"`,
    );
  }
  const dated = text.replace(existing, () => heading);
  return { text: dated, notes: sectionOf(dated, heading) ?? "" };
}

/** The text between this heading and the next of its level; null without such a heading. */
function sectionOf(text: string, heading: string): string | null {
  const lines = text.split("\n");
  const start = lines.indexOf(heading);
  if (start === -1) return null;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith("## "));
  return (end === -1 ? rest : rest.slice(0, end)).join("\n").trim();
}

/** The heading of this version's section, whatever date it has. */
function headingOf(text: string, version: string): string | null {
  const isOurs = (line: string) => line === `## ${version}` || line.startsWith(`## ${version} `);
  return text.split("\n").find(isOurs) ?? null;
}
