// `platform install`: writes files only, and prints the commands that the operator then runs.

import type { CommandFunction, Invocation } from "../../command.ts";
import { Disk } from "../../install/disk.ts";
import { type Prepared, prepare } from "../../install/install.ts";
import { layout, placesBelow } from "../../install/layout.ts";
import {
  prefixFrom,
  type RunningProgram,
  requireFile,
  rootFrom,
  thisProgram,
} from "../../install/preconditions.ts";
import { showRows } from "../../install/show.ts";
import { isForPeople } from "../../output/output.ts";
import { programVersion } from "../../version.ts";

export const install: CommandFunction = (invocation) => installFrom(thisProgram(), invocation);

export async function installFrom(
  running: RunningProgram,
  { io, options, signal, table }: Invocation,
): Promise<void> {
  const { force = false, dryRun = false } = options as { force?: boolean; dryRun?: boolean };
  const program = requireFile(running);
  const prefix = prefixFrom(options.prefix);
  const root = rootFrom(options.root);
  const version = programVersion(io.env.VERSION);
  const prepared = await prepare({
    disk: new Disk(root),
    prefix,
    items: await layout(placesBelow(prefix), {
      version,
      buildTime: io.env.BUILD_TIME,
      table: await table(),
    }),
    program,
    version,
    force,
  });
  if (!dryRun && !prepared.isDone) await prepared.carryOut(signal);
  showRows(io, options, prepared.steps);
  if (!isForPeople(options)) return;
  io.note(ending(prepared, { version, prefix, isHere: root === "/", dryRun }));
}

/** `isHere`: the program was installed on this host, not below another root. */
export function ending(
  { isDone, before, steps }: Pick<Prepared, "isDone" | "before" | "steps">,
  context: { version: string; prefix: string; isHere: boolean; dryRun: boolean },
): string {
  const { version, prefix, isHere, dryRun } = context;
  const changed = steps.some(({ action, what }) => action === "leave" && what === "configuration");
  const kept = changed ? "Settings that were changed are kept.\n" : "";
  if (isDone) return `${kept}platform ${version} is installed below ${prefix}: nothing to do.\n`;
  if (dryRun) return `\n${kept}Nothing was changed: this was a dry run.\n`;
  const was = before === null || before === version ? "" : `, and replaces ${before}`;
  const done = `\n${kept}platform ${version} is installed below ${prefix}${was}.\n`;
  if (!isHere) return done;
  return done + (before === null ? firstSteps : nextSteps);
}

const firstSteps = `
Next, as root:
  systemd-sysusers                        creates the users platform and platform-agent
  systemctl daemon-reload
  systemctl enable --now platform         starts the server, now and with the host
  runuser -u platform -- platformctl users set-password admin --db /var/lib/platform/platform.db
                                          a password for its first owner, admin

Its settings are in /etc/platform/platform.env. For an agent on this host, see man platform-agent;
for everything else, see man platform.
`;

const nextSteps = `
Next, as root:
  systemctl daemon-reload
  systemctl try-restart platform 'platform-agent@*'
                                          restarts the server and the agents that run here
`;
