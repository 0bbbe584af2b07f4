// `/etc/platform/platform.env`: every server setting with its default, as comments. systemd and
// shells can both read the file.

import { type Setting, settings } from "./settings.ts";

const width = 100;

const head = `# Settings of the server, read by platform.service. Uncomment a line to set it, then run:
#   systemctl restart platform
# Each line shows the default, or an example where there is none. Once you have edited this file,
# updates keep it and write the new version to platform.env.new.
`;

/** Values that the unit sets and that differ from the program's defaults. */
const ofTheUnit: Record<string, string> = { PLATFORM_DATA_DIR: "/var/lib/platform" };

const dropIn = "needs a drop-in; comments in the unit show how";
const notes: Record<string, string> = {
  PLATFORM_PORT: `A port below 1024 ${dropIn}. With 0, platform.service does not start, because nobody would know the port.`,
  PLATFORM_DATA_DIR: `Another folder ${dropIn}.`,
  PLATFORM_DATABASE_URL: `A file in another folder ${dropIn}.`,
  PLATFORM_TLS_CERT_FILE: "The platform user must be able to read this file.",
  PLATFORM_TLS_KEY_FILE: "The platform user must be able to read this file.",
};

export function settingsFile(): string {
  return [head, ...settings.map(entry)].join("\n");
}

function entry({ variable, meaning, byDefault, example }: Setting): string {
  const isValue = "value" in byDefault;
  const value = ofTheUnit[variable] ?? (isValue ? byDefault.value : example);
  const comments = [
    meaning,
    isValue ? "" : `Default: ${byDefault.words}.`,
    notes[variable] ?? "",
  ].filter((text) => text !== "");
  return `${comments.map(comment).join("")}#${variable}=${value}\n`;
}

function comment(text: string): string {
  let lines = "#";
  let length = 1;
  for (const word of text.split(" ")) {
    const isFull = length + 1 + word.length > width;
    lines += isFull ? `\n# ${word}` : ` ${word}`;
    length = (isFull ? 1 : length) + 1 + word.length;
  }
  return `${lines}\n`;
}
