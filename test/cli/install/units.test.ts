// systemd itself reads the units, where it is available.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentUnit, serverUnit, strictSettings, users } from "../../../src/cli/install/units.ts";
import { temporaryFolder } from "../../helpers/app.ts";

// systemd checks that this file exists.
const program = process.execPath;
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)("systemd reports no problem", { timeout: 30_000 }, () => {
  const { status, output } = analyze("verify", "--man=no");
  expect([output, status]).toEqual(["", 0]);
});

test.skipIf(!hasSystemd)("systemd rates the server's exposure as low", { timeout: 30_000 }, () => {
  const { status, output } = analyze("security", "--offline=true", "--threshold=16");
  expect(output).toContain("Overall exposure level for platform.service: 1.");
  expect(status).toBe(0);
});

test.skipIf(!hasSystemd)(
  "systemd rates an agent's exposure as limited, and as low without sudo",
  {
    timeout: 30_000,
  },
  () => {
    const agent = agentUnit(program, "/etc/platform");
    const strict = strictSettings.reduce((unit, line) => {
      expect(unit).toContain(`\n#${line}\n`);
      return unit.replace(`\n#${line}\n`, `\n${line}\n`);
    }, agent);
    expect(exposureOf(agent)).toBeLessThan(8.5);
    expect(exposureOf(strict)).toBeLessThan(4);
  },
);

test("the units do not restrict what Node.js and the operator's programs need", () => {
  const server = serverUnit(program, "/etc/platform");
  expect(server).not.toMatch(/^MemoryDenyWriteExecute=/m);
  // Each of these settings would keep sudo from working, which actions may need.
  const agent = agentUnit(program, "/etc/platform");
  expect(agent).not.toMatch(
    /^(NoNewPrivileges|SystemCall\w+|Restrict\w+|PrivateDevices|ProtectKernel\w+|ProtectClock|ProtectHostname|LockPersonality|DynamicUser)=/m,
  );
});

test("operators can restart a unit any number of times", () => {
  for (const unit of [serverUnit(program, "/etc/p"), agentUnit(program, "/etc/p")]) {
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(unit).not.toMatch(/^StartLimitBurst=/m);
    expect(unit).toMatch(/^RestartSec=5$/m);
  }
});

test("the installation creates every user that a unit runs as", () => {
  const named = [serverUnit(program, "/etc/p"), agentUnit(program, "/etc/p")].flatMap((unit) => [
    ...unit.matchAll(/^User=(.+)$/gm),
  ]);
  const made = [...users.matchAll(/^u (\S+)/gm)].map(([, name]) => name);
  expect(named.map(([, name]) => name)).toEqual(made);
});

/** Returns systemd's rating of the unit, from 0 (closed) to 10. */
function exposureOf(unit: string): number {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "platform-agent@edge-7.service"), unit);
  const words = ["security", "--offline=true", "./platform-agent@edge-7.service"];
  const { stdout, stderr } = spawnSync("systemd-analyze", words, { cwd: folder, encoding: "utf8" });
  expect(stderr).toBe("");
  return Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
}

function analyze(...words: string[]): { status: number | null; output: string } {
  const folder = temporaryFolder();
  const files = {
    "platform.service": serverUnit(program, "/etc/platform"),
    "platform-agent@edge-7.service": agentUnit(program, "/etc/platform"),
  };
  for (const [name, unit] of Object.entries(files)) writeFileSync(join(folder, name), unit);
  const names = words[0] === "security" ? ["platform.service"] : Object.keys(files);
  const ran = spawnSync("systemd-analyze", [...words, ...names.map((name) => `./${name}`)], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status: ran.status, output: ran.stdout + ran.stderr };
}
