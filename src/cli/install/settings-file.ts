// `/etc/platform/platform.env`: every setting of the server with its default, each commented out. In the
// form that systemd reads (EnvironmentFile), and a shell too.

import { type Setting, settings } from "./settings.ts";

const width = 100;

const head = `# Settings of the server; platform.service reads this file. Take the # away from a line to set it, then:
#   systemctl restart platform
# Each line shows the default, or an example where there is none. Once this file was changed, an update
# leaves it alone and lays the new one beside it, as platform.env.new.
`;

/** What the unit sets differs from the program's own default. */
const ofTheUnit: Record<string, string> = { PLATFORM_DATA_DIR: "/var/lib/platform" };

const dropIn = "needs a drop-in of the unit, which shows it";
const notes: Record<string, string> = {
  PLATFORM_PORT: `One below 1024 ${dropIn}. With 0 platform.service does not start: nobody would know which one.`,
  PLATFORM_DATA_DIR: `Another one ${dropIn}.`,
  PLATFORM_DATABASE_URL: `In another folder it ${dropIn}.`,
  PLATFORM_TLS_CERT_FILE: "The user platform must be able to read it.",
  PLATFORM_TLS_KEY_FILE: "The user platform must be able to read it.",
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
