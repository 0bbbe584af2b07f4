// What an installation writes and where.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../../../src/cli/commands/index.ts";
import { type Item, layout, placesBelow } from "../../../src/cli/install/layout.ts";
import { commandLineSettings, settings } from "../../../src/cli/install/settings.ts";
import { settingsFile } from "../../../src/cli/install/settings-file.ts";
import { loadConfig } from "../../../src/config/config.ts";
import { commandLineVariables, variableNames } from "../../../src/config/variables.ts";

const about = {
  version: "1.2.3",
  buildTime: "2026-11-21T08:00:00.000Z",
  table: await commandLine(),
};
const root = join(import.meta.dirname, "../../..");

function itemsBelow(prefix: string): Promise<Item[]> {
  return layout(placesBelow(prefix), about);
}

async function pathsBelow(prefix: string): Promise<string[]> {
  return (await itemsBelow(prefix))
    .filter(({ what }) => what !== "man page")
    .map((item) => `${item.path}${item.kind === "link" ? ` -> ${item.target}` : ""}`);
}

test.each([
  ["/usr/local", "/usr/local/lib/systemd/system", "/usr/local/lib/sysusers.d"],
  ["/usr", "/usr/lib/systemd/system", "/usr/lib/sysusers.d"],
  ["/opt/platform", "/etc/systemd/system", "/etc/sysusers.d"],
])("below %s, the units are where systemd looks for them", async (prefix, units, users) => {
  expect(await pathsBelow(prefix)).toEqual([
    `${prefix}/bin/platform`,
    `${prefix}/bin/platformctl -> platform`,
    `${prefix}/share/bash-completion/completions/platformctl`,
    `${prefix}/share/bash-completion/completions/platform -> platformctl`,
    `${prefix}/share/zsh/site-functions/_platformctl`,
    `${prefix}/share/fish/vendor_completions.d/platformctl.fish`,
    `${prefix}/share/fish/vendor_completions.d/platform.fish -> platformctl.fish`,
    "/etc/platform",
    "/etc/platform/agents",
    "/etc/platform/platform.env",
    `${users}/platform.conf`,
    `${units}/platform.service`,
    `${units}/platform-agent@.service`,
  ]);
});

test("only the program is executable, and only the settings file is private", async () => {
  const special = (await itemsBelow("/usr/local")).flatMap((item) => {
    if (item.kind === "link" || item.kind === "folder" || item.mode === 0o644) return [];
    const isConfiguration = item.kind === "file" && item.isConfiguration === true;
    return [[item.path, item.mode.toString(8), isConfiguration]];
  });
  expect(special).toEqual([
    ["/usr/local/bin/platform", "755", false],
    ["/etc/platform/platform.env", "600", true],
  ]);
});

test("every path is unique, and no path is in the data folder", async () => {
  const paths = (await itemsBelow("/usr/local")).map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => path.startsWith("/var"))).toEqual([]);
});

test("the units start the installed program", async () => {
  const units = (await itemsBelow("/opt/p")).flatMap((item) =>
    item.what === "unit" ? [item] : [],
  );
  const lines = units.flatMap((item) => (item.kind === "file" ? item.content.split("\n") : []));
  const started = lines.filter((line) => /^Exec(Start|StartPost)=/.test(line));
  expect(started).toEqual([
    "ExecStart=/opt/p/bin/platform serve",
    "ExecStartPost=/opt/p/bin/platform ready --pid $MAINPID --timeout 15m",
    "ExecStart=/opt/p/bin/platform agent run --config /etc/platform/agents/%i.yaml",
  ]);
});

test("the settings file has only comments, and the settings in them are valid", () => {
  const lines = settingsFile().trimEnd().split("\n");
  expect(lines.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
  expect(lines.filter((line) => line.length > 110)).toEqual([]);
  const set = Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value = ""] = /^#PLATFORM_(\w+)=(.*)$/.exec(line) ?? [];
      // Shells and systemd interpret quotes differently.
      expect(value).toMatch(/^[\w./:,-]*$/);
      return name && value !== "" ? [[name, value]] : [];
    }),
  );
  const config = loadConfig(set, "1.2.3");
  expect(config).toMatchObject({
    ...loadConfig({ DATA_DIR: "/var/lib/platform" }, "1.2.3"),
    publicUrl: "https://agents.example.com",
    allowedHosts: ["agents.example.com", "10.0.0.5"],
    tls: { certFile: "/etc/platform/tls.crt", keyFile: "/etc/platform/tls.key" },
    auditKeyFile: "/etc/platform/audit.key",
    sessionSecretFile: "/etc/platform/session.key",
    logFormat: "json",
    drainSeconds: 3,
    maxConnections: 20_000,
    maxConnectionsPerAddress: 5000,
  });
});

test("docs/reference/configuration.md has all settings, in the same words, and no other", () => {
  const page = readFileSync(join(root, "docs/reference/configuration.md"), "utf8");
  const rows = page.matchAll(/^\| `(PLATFORM_\w+)` \| (.*?) \| (.*?) \|$/gm);
  const documented = new Map(
    [...rows].map(([, variable = "", byDefault = "", meaning = ""]) => [
      variable,
      { byDefault: plain(byDefault), meaning: plain(meaning) },
    ]),
  );
  const described = settings.map(({ variable, meaning, byDefault }) => ({
    variable,
    byDefault: "value" in byDefault ? byDefault.value : byDefault.words,
    meaning,
  }));
  expect(described).toEqual(
    described.map(({ variable }) => ({ variable, ...documented.get(variable) })),
  );
  const heads = [...page.matchAll(/^\| (`PLATFORM_[^|]*) \|/gm)].map(([, head = ""]) => head);
  const named = heads.flatMap((head) => head.match(/(?<=PLATFORM_)\w+/g) ?? []);
  expect(named.sort()).toEqual([...variableNames, ...commandLineVariables].sort());
  const fixed = ["VERSION", "COMMIT", "BUILD_TIME"];
  const all = variableNames.filter((name) => !fixed.includes(name));
  expect(described.map(({ variable }) => variable).sort()).toEqual(
    all.map((name) => `PLATFORM_${name}`).sort(),
  );
  for (const [variable, meaning] of commandLineSettings) {
    expect([variable, meaning]).toEqual([variable, documented.get(variable)?.meaning]);
  }
  expect(commandLineSettings.map(([variable]) => variable).sort()).toEqual(
    commandLineVariables.map((name) => `PLATFORM_${name}`).sort(),
  );
});

/** Removes formatting and references from Markdown. */
function plain(markdown: string): string {
  return markdown
    .replace(/ \(\[[^\]]*\]\([^)]*\)\)/g, "")
    .replace(/`/g, "")
    .trim();
}
