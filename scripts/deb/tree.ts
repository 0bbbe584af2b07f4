// The files of the Debian package: those of `platform install`, in Debian's formats, the licences
// and the changelog.

import { gzipSync } from "node:zlib";
import { type Item, layout, placesBelow } from "../../src/cli/install/layout.ts";
import type { About } from "../../src/cli/install/man/roff.ts";

/** The paths are absolute on the installed host. */
export type Entry =
  | { kind: "program"; path: string; mode: number }
  | { kind: "file"; path: string; mode: number; content: Buffer; isConfiguration: boolean }
  | { kind: "link"; path: string; target: string }
  | { kind: "folder"; path: string; mode: number };

export interface Papers {
  licences: string;
  changelog: string;
}

/** The entries are in the order of creation. Parents that are not listed get mode 0755. */
export async function treeOf(about: About, { licences, changelog }: Papers): Promise<Entry[]> {
  const places = { ...placesBelow("/usr"), zshCompletions: "/usr/share/zsh/vendor-completions" };
  const papers = "/usr/share/doc/platform";
  return [
    ...(await layout(places, about)).map(entryOf),
    file(`${papers}/copyright`, Buffer.from(licences)),
    file(`${papers}/changelog.gz`, gzipped(changelog)),
  ];
}

function entryOf(item: Item): Entry {
  if (item.kind !== "file") return item;
  if (item.what === "man page") return file(`${item.path}.gz`, gzipped(item.content));
  const content = Buffer.from(item.content);
  return { ...file(item.path, content, item.mode), isConfiguration: item.isConfiguration === true };
}

function file(path: string, content: Buffer, mode = 0o644): Extract<Entry, { kind: "file" }> {
  return { kind: "file", path, mode, content, isConfiguration: false };
}

/** Makes the same bytes as `gzip -9n`, without a file name or time. */
function gzipped(text: string): Buffer {
  return gzipSync(text, { level: 9 });
}
