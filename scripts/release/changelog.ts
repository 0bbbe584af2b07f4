// Moves the entries under "Unreleased" in CHANGELOG.md to a section with the version and the date.

const unreleased = "## Unreleased";

export interface ReleasedChangelog {
  /** The text of the whole file. */
  text: string;
  /** The text of the new section, without its heading. */
  notes: string;
}

/**
 * If a section for that version already exists, only adds the date to it. Throws if there is
 * nothing to release, or if there are entries in both places.
 */
export function releaseChangelog(text: string, version: string, date: string): ReleasedChangelog {
  const heading = `## ${version} - ${date}`;
  const entries = sectionOf(text, unreleased);
  if (entries === null) throw new Error(`CHANGELOG.md has no section "${unreleased}"`);
  const existing = headingOf(text, version);
  if (existing === null) {
    if (entries === "") throw new Error('CHANGELOG.md has no entries under "Unreleased"');
    const moved = text.replace(`${unreleased}\n`, () => `${unreleased}\n\n${heading}\n`);
    return { text: moved, notes: entries };
  }
  if (entries !== "") {
    throw new Error(`CHANGELOG.md has a section ${version} and also entries under "Unreleased"`);
  }
  const dated = text.replace(existing, () => heading);
  return { text: dated, notes: sectionOf(dated, heading) ?? "" };
}

/** Returns the text below the heading; null if the heading does not exist. */
function sectionOf(text: string, heading: string): string | null {
  const lines = text.split("\n");
  const start = lines.indexOf(heading);
  if (start === -1) return null;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith("## "));
  return (end === -1 ? rest : rest.slice(0, end)).join("\n").trim();
}

function headingOf(text: string, version: string): string | null {
  const isOurs = (line: string) => line === `## ${version}` || line.startsWith(`## ${version} `);
  return text.split("\n").find(isOurs) ?? null;
}
