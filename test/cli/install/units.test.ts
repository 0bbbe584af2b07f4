// systemd itself reads the units, where it is available.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentUnit, serverUnit, strictSettings, users } from "../../../src/cli/install/units.ts";
import { temporaryFolder } from "../../helpers/app.ts";

// systemd checks that this file exists. `platform install` refuses paths with spaces, which the
// path of this checkout can contain.
const program = "/bin/sh";
const server = serverUnit(program, "/etc/platform");
const agent = agentUnit(program, "/etc/platform");
const ofServer = { "platform.service": server };
const ofAgent = { "platform-agent@edge-7.service": agent };
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)("systemd reports no problem", () => {
  const { status, output } = analyze(["verify", "--man=no"], { ...ofServer, ...ofAgent });
  expect([output, status]).toEqual(["", 0]);
});

test.skipIf(!hasSystemd)("systemd rates the server's exposure as low", () => {
  const words = ["security", "--offline=true", "--threshold=16"];
  const { status, output } = analyze(words, ofServer);
  expect(output).toContain("Overall exposure level for platform.service: 1.");
  expect(status).toBe(0);
});

test.skipIf(!hasSystemd)(
  "systemd rates an agent's exposure as limited, and as low without sudo",
  () => {
    const strict = strictSettings.reduce((unit, line) => {
      expect(unit).toContain(`\n#${line}\n`);
      return unit.replace(`\n#${line}\n`, `\n${line}\n`);
    }, agent);
    expect(exposureOf(agent)).toBeLessThan(8.5);
    expect(exposureOf(strict)).toBeLessThan(4);
  },
);

test("the units do not restrict what Node.js and the operator's programs need", () => {
  expect(server).not.toMatch(/^MemoryDenyWriteExecute=/m);
  // Each of these settings would keep sudo from working, which actions may need.
  expect(agent).not.toMatch(
    /^(NoNewPrivileges|SystemCall\w+|Restrict\w+|PrivateDevices|ProtectKernel\w+|ProtectClock|ProtectHostname|LockPersonality|DynamicUser)=/m,
  );
});

test("the server's unit lets it lower the priority of its children", () => {
  // The set @resources contains setpriority.
  expect(server).not.toMatch(/^SystemCallFilter=~.*(@resources|setpriority)/m);
  expect(server).toMatch(/^SystemCallFilter=@system-service$/m);
});

test("operators can restart a unit any number of times", () => {
  for (const unit of [server, agent]) {
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(unit).not.toMatch(/^StartLimitBurst=/m);
    expect(unit).toMatch(/^RestartSec=5$/m);
  }
});

test("the installation creates every user that a unit runs as", () => {
  const named = [...(server + agent).matchAll(/^User=(.+)$/gm)];
  const made = [...users.matchAll(/^u (\S+)/gm)].map(([, name]) => name);
  expect(named.map(([, name]) => name)).toEqual(made);
});

/** Returns systemd's rating of the unit, from 0 (closed) to 10. */
function exposureOf(unit: string): number {
  const { output } = analyze(["security", "--offline=true"], { "platform-agent@a.service": unit });
  return Number(/Overall exposure level for \S+: ([\d.]+)/.exec(output)?.[1]);
}

function analyze(words: string[], files: Record<string, string>) {
  const folder = temporaryFolder();
  for (const [name, unit] of Object.entries(files)) writeFileSync(join(folder, name), unit);
  const names = Object.keys(files).map((name) => `./${name}`);
  const options = { cwd: folder, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync("systemd-analyze", [...words, ...names], options);
  return { status, output: stdout + stderr };
}
