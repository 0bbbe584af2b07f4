// Unpacks the Chromium from the npm package @sparticuz/chromium, which includes its libraries and
// font. Unpacking takes seconds, so it is done once for each version.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LaunchOptions } from "playwright-core";
import { projectFolder } from "../../../scripts/build/project.ts";

/** Returns the browser's folder. */
export function unpackChromium(): string {
  const modules = realpathSync(join(projectFolder, "node_modules"));
  const packed = join(modules, "@sparticuz/chromium");
  const { version } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
  const cache = join(modules, ".cache");
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "chromium-draft-"));
  try {
    const worker = join(import.meta.dirname, "unpack-chromium.ts");
    const env = { ...process.env, TMPDIR: draft };
    execFileSync(process.execPath, [worker, join(packed, "bin")], { env });
    writeFileSync(join(draft, "fonts.conf"), fontsIn(folder));
    // The folder is shared by all test runs in this checkout.
    for (const name of [".", "chromium"]) chmodSync(join(draft, name), 0o755);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another run may have unpacked the browser first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Configures the same font on every machine. */
function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<fontconfig>
  <dir>${join(folder, "fonts")}</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
</fontconfig>
`;
}

/** The browser can reach only loopback addresses. `temp` is the folder of its temporary files. */
export function chromiumIn(folder: string, temp = tmpdir()): LaunchOptions {
  return {
    executablePath: join(folder, "chromium"),
    args: [
      // The sandbox does not work for root, and the browser shows only our own pages.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-domain-reliability",
      "--disable-sync",
      "--no-first-run",
      "--no-pings",
      "--no-proxy-server",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      "--font-render-hinting=none",
      // No page stays open long enough to make optimizing its scripts worthwhile.
      "--js-flags=--no-opt,--no-maglev",
    ],
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      TMPDIR: temp,
      TZ: "UTC",
      LD_LIBRARY_PATH: join(folder, "al2023/lib"),
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
  };
}
