// Lists the files of an installation on a Linux host, for `platform install` and for packages.

import { scripts } from "../completion/scripts.ts";
import { manPages } from "./man/index.ts";
import type { About } from "./man/roff.ts";
import { settingsFile } from "./settings-file.ts";
import { agentUnit, serverUnit, users } from "./units.ts";

/** Folders on the installed host, all absolute. */
interface Places {
  /** The folder for programs, completions and man pages. */
  prefix: string;
  /** The folder whose subfolder `platform` contains the configuration. */
  configuration: string;
  units: string;
  /** Where systemd-sysusers looks for users to create. */
  users: string;
  zshCompletions: string;
}

interface At {
  /** The kind of item as users see it, for example `unit`. */
  what: string;
  path: string;
}

type FileItem = At & {
  kind: "file";
  mode: number;
  content: string;
  /**
   * Whether the administrator may edit the file. An edited file is never overwritten or removed.
   */
  isConfiguration?: boolean;
};

export type FileLike =
  | FileItem
  | (At & { kind: "program"; mode: number })
  /** `target` is relative, as it is written into the link. */
  | (At & { kind: "link"; target: string });

/** Missing parents are created with mode 0755. */
export type Item = FileLike | (At & { kind: "folder"; mode: number });

/** systemd finds units below /usr and /usr/local without further configuration. */
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

/** An item comes after the items that it refers to. */
export async function layout(places: Places, about: About): Promise<Item[]> {
  const { prefix, configuration, units } = places;
  const program = `${prefix}/bin/platform`;
  const own = `${configuration}/platform`;
  return [
    { kind: "program", what: "program", path: program, mode: 0o755 },
    link("program", `${prefix}/bin/platformctl`, "platform"),
    ...completions(places),
    ...(await manPages(about)).map(({ name, chapter, text }) =>
      file("man page", `${prefix}/share/man/man${chapter}/${name}.${chapter}`, text),
    ),
    { kind: "folder", what: "configuration", path: own, mode: 0o755 },
    { kind: "folder", what: "configuration", path: `${own}/agents`, mode: 0o755 },
    {
      // The file can contain secrets. systemd reads it as root.
      ...file("configuration", `${own}/platform.env`, settingsFile(), 0o600),
      isConfiguration: true,
    },
    file("users", `${places.users}/platform.conf`, users),
    file("unit", `${units}/platform.service`, serverUnit(program, own)),
    file("unit", `${units}/platform-agent@.service`, agentUnit(program, own)),
  ];
}

/** Shells look for a file that is named after the command. */
function completions({ prefix, zshCompletions }: Places): Item[] {
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

function file(what: string, path: string, content: string, mode = 0o644): FileItem {
  return { kind: "file", what, path, mode, content };
}

function link(what: string, path: string, target: string): Item {
  return { kind: "link", what, path, target };
}
