// `platform uninstall`: removes what `platform install` has installed. It never removes data.

import { existsSync } from "node:fs";
import type { CommandFunction } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { Disk } from "../../install/disk.ts";
import { unitsInUse } from "../../install/other-installations.ts";
import { prefixFrom, requireLinux, rootFrom } from "../../install/preconditions.ts";
import { showRows } from "../../install/show.ts";
import { prepareRemoval } from "../../install/uninstall.ts";
import { isForPeople } from "../../output/output.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";

export const uninstall: CommandFunction = async ({ io, options, signal }) => {
  const given = options as { dryRun?: boolean; purge?: boolean; yes?: boolean };
  const { dryRun = false, purge = false, yes = false } = given;
  requireLinux(process.platform);
  const prefix = prefixFrom(options.prefix);
  const disk = new Disk(rootFrom(options.root));
  const { version, steps, carryOut } = await prepareRemoval(disk, prefix, purge);
  let kept: string[] = [];
  if (!dryRun) {
    refuseInUse(unitsInUse(disk));
    const changed = steps.filter(({ action, note }) => action === "remove" && note !== null);
    if (changed.length > 0) {
      const paths = changed.map(({ path }) => disk.at(path)).join(", ");
      await confirmOrRefuse(io, `Also remove these changed files: ${paths}?`, yes);
    }
    kept = await carryOut(signal);
  }
  showRows(io, options, steps);
  if (!isForPeople(options)) return;
  const done = dryRun
    ? "Nothing was changed: this was a dry run."
    : `platform ${version} is no longer installed below ${prefix}.`;
  io.note(`\n${done}\n${remains(disk, kept)}`);
};

/** A running unit would continue without its files, and fail after a restart. */
function refuseInUse(units: readonly string[]): void {
  if (units.length === 0) return;
  throw new CliError(
    exit.conflict,
    `these units are running or start at boot: ${units.join(", ")}. ` +
      `First run \`systemctl disable --now ${units.join(" ")}\`.`,
    { code: "IN_USE" },
  );
}

function remains(disk: Disk, kept: readonly string[]): string {
  const data = ["/var/lib/platform", "/var/lib/platform-agent"];
  const paths = [...kept.filter((folder) => folder.startsWith("/etc/")), ...data]
    .map((path) => disk.at(path))
    .filter((path) => existsSync(path));
  if (paths.length === 0) return "";
  return `Not removed, because they contain data or were not installed by this program: ${paths.join(", ")}.\n`;
}
