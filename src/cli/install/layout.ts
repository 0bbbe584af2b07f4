// What an installation on a Linux host lays down: every file with its place, its mode and its content.
// Nothing is written here: `platform install` and the makers of packages read this list.

import { scripts } from "../completion/scripts.ts";
import type { About } from "./man/about.ts";
import { manPages } from "./man/index.ts";
import { settingsFile } from "./settings-file.ts";
import { agentUnit, serverUnit, users } from "./units.ts";

export type { About } from "./man/about.ts";

/** Folders of the installed host, each absolute. */
export interface Places {
  /** Of programs, completions and man pages. */
  prefix: string;
  /** Of configuration: the folder `platform` in it is ours. */
  configuration: string;
  units: string;
  /** Where systemd-sysusers looks for users to make. */
  users: string;
  zshCompletions: string;
}

/** One thing that is laid. Parents of it that are missing are made, with mode 0755. */
export type Laid = LaidProgram | LaidFile | LaidLink | LaidFolder;

interface LaidAt {
  /** For people: `unit`. */
  what: string;
  /** Absolute, as on the installed host. */
  path: string;
}

/** The packaged program itself. */
export interface LaidProgram extends LaidAt {
  kind: "program";
  mode: number;
}

export interface LaidFile extends LaidAt {
  kind: "file";
  mode: number;
  content: string;
  /** The administrator's from then on: what was changed is never overwritten and never removed. */
  isConfiguration?: true;
}

export interface LaidLink extends LaidAt {
  kind: "link";
  /** As it is written into the link: relative. */
  target: string;
}

export interface LaidFolder extends LaidAt {
  kind: "folder";
  mode: number;
}

/** Where things go below a prefix: systemd looks below /usr and /usr/local by itself, nowhere else. */
export function placesBelow(prefix: string): Places {
  const isKnown = prefix === "/usr" || prefix === "/usr/local";
  return {
    prefix,
    configuration: "/etc",
    units: isKnown ? `${prefix}/lib/systemd/system` : "/etc/systemd/system",
    users: isKnown ? `${prefix}/lib/sysusers.d` : "/etc/sysusers.d",
    zshCompletions: `${prefix}/share/zsh/site-functions`,
  };
}

/** In the order of laying: what names another comes after it. */
export async function layout(places: Places, about: About): Promise<Laid[]> {
  const program = `${places.prefix}/bin/platform`;
  return [
    { kind: "program", what: "program", path: program, mode: 0o755 },
    link("program", `${places.prefix}/bin/platformctl`, "platform"),
    ...completions(places),
    ...(await manPages(about)).map(({ name, chapter, text }) =>
      file("man page", `${places.prefix}/share/man/man${chapter}/${name}.${chapter}`, text),
    ),
    ...ofSystemd(places, program),
  ];
}

/** Shells look for a file of the name of the command. */
function completions({ prefix, zshCompletions }: Places): Laid[] {
  const bash = `${prefix}/share/bash-completion/completions`;
  const fish = `${prefix}/share/fish/vendor_completions.d`;
  return [
    file("completion", `${bash}/platformctl`, scripts.bash),
    link("completion", `${bash}/platform`, "platformctl"),
    file("completion", `${zshCompletions}/_platformctl`, scripts.zsh),
    file("completion", `${fish}/platformctl.fish`, scripts.fish),
    link("completion", `${fish}/platform.fish`, "platformctl.fish"),
  ];
}

/** Configuration, users, and the units, which need all others. */
function ofSystemd({ configuration, users: usersFolder, units }: Places, program: string): Laid[] {
  const own = `${configuration}/platform`;
  return [
    { kind: "folder", what: "configuration", path: own, mode: 0o755 },
    { kind: "folder", what: "configuration", path: `${own}/agents`, mode: 0o755 },
    {
      // It may come to hold secrets; systemd reads it as root.
      ...file("configuration", `${own}/platform.env`, settingsFile(), 0o600),
      isConfiguration: true,
    },
    file("users", `${usersFolder}/platform.conf`, users),
    file("unit", `${units}/platform.service`, serverUnit(program, own)),
    file("unit", `${units}/platform-agent@.service`, agentUnit(program, own)),
  ];
}

function file(what: string, path: string, content: string, mode = 0o644): LaidFile {
  return { kind: "file", what, path, mode, content };
}

function link(what: string, path: string, target: string): LaidLink {
  return { kind: "link", what, path, target };
}
