// The Debian package before dpkg-deb packs it. scripts/deb/try.sh installs a real package.

import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  conffiles,
  controlFile,
  debianVersion,
  fileNameOf,
  installedKiB,
  md5sums,
} from "../../scripts/deb/control.ts";
import { treeOf } from "../../scripts/deb/tree.ts";
import { commandLine } from "../../src/cli/commands/index.ts";
import { layout, placesBelow } from "../../src/cli/install/layout.ts";
import { openTestApp, temporaryFolder } from "../helpers/app.ts";
import { bin } from "../helpers/process/installed.ts";

const about = {
  version: "1.2.0",
  buildTime: "2026-01-02T03:04:05.000Z",
  table: await commandLine(),
};
const tree = await treeOf(about, { licences: "All of them.\n", changelog: "# Changelog\n" });
const at = new Map(tree.map((entry) => [entry.path, entry]));
const scripts = join(import.meta.dirname, "../../scripts/deb");
const maintainer = join(scripts, "maintainer");

test("the package contains all files of an installation, below /usr", async () => {
  const expected = (await layout(placesBelow("/usr"), about)).map(({ path, what }) => {
    if (what === "man page") return `${path}.gz`;
    return path.replace("/zsh/site-functions/", "/zsh/vendor-completions/");
  });
  const papers = ["/usr/share/doc/platform/copyright", "/usr/share/doc/platform/changelog.gz"];
  expect([...at.keys()]).toEqual([...expected, ...papers]);
});

test("man pages and the changelog are compressed without a timestamp", () => {
  const packed = tree.filter(({ path }) => path.endsWith(".gz"));
  expect(packed.length).toBeGreaterThan(5);
  for (const entry of packed) {
    if (entry.kind !== "file") throw new Error(entry.path);
    expect(entry.content.readUInt32LE(4), entry.path).toBe(0);
  }
  const changelog = at.get("/usr/share/doc/platform/changelog.gz");
  expect(changelog?.kind === "file" && gunzipSync(changelog.content).toString()).toBe(
    "# Changelog\n",
  );
});

test("the settings are a configuration file that only root can read", () => {
  expect(conffiles(tree)).toBe("/etc/platform/platform.env\n");
  expect(at.get("/etc/platform/platform.env")).toMatchObject({ mode: 0o600 });
});

test("the control file contains the description and the dependencies", () => {
  const control = controlFile({
    version: "1.2.0-rc.1",
    architecture: "amd64",
    maintainer: "Ana <ana@example.com>",
    installedKiB: 7,
  });
  expect(control).toContain("\nVersion: 1.2.0~rc.1\nArchitecture: amd64\n");
  expect(control).toContain("\nMaintainer: Ana <ana@example.com>\nInstalled-Size: 7\n");
  expect(control).toContain("\nDepends: libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 11), passwd\n");
  expect(control).toMatch(/[^\n]\n$/);
});

test.each([
  ["0.1.0", "0.1.0"],
  ["0.2.0-rc-1+g12", "0.2.0~rc.1+g12"],
])("the version %s becomes %s for dpkg", (version, expected) => {
  expect(debianVersion(version)).toBe(expected);
});

test("the name of a package contains no ~", () => {
  expect(fileNameOf("1.2.0-rc.1", "amd64")).toBe("platform_1.2.0-rc.1_amd64.deb");
});

test.each(["", "latest", "1.0\nEssential: yes"])("%j is refused as a version", (version) => {
  expect(() => debianVersion(version)).toThrow("cannot be the version");
});

test("the checksums cover all files except the settings", () => {
  const lines = md5sums(tree, Buffer.from("program")).trim().split("\n");
  const files = tree.filter(({ kind }) => kind === "program" || kind === "file");
  expect(lines.length).toBe(files.length - 1);
  expect(lines[0]).toBe("a9c449d4fa44e9e5a41c574ae55ce4d9  usr/bin/platform");
  expect(lines.join()).not.toContain("platform.env");
});

test("the installed size counts every file in whole KiB", () => {
  const twoKiB = { kind: "program", path: "/usr/bin/platform", mode: 0o755 } as const;
  const link = { kind: "link", path: "/usr/bin/platformctl", target: "platform" } as const;
  expect(installedKiB([twoKiB, link], Buffer.alloc(1025))).toBe(3);
});

const shellScripts = [
  ...readdirSync(maintainer).map((name) => join(maintainer, name)),
  ...["try.sh", "try-steps.sh"].map((name) => join(scripts, name)),
];

test.each(shellScripts)("%s runs in any POSIX shell", (file) => {
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^#!\/bin\/sh\n# /);
  expect(spawnSync("sh", ["-n", file]).status).toBe(0);
  if (file.startsWith(maintainer)) expect(text).toContain("\nset -e\n");
});

test("no maintainer script deletes data", () => {
  for (const name of readdirSync(maintainer)) {
    const removals = readFileSync(join(maintainer, name), "utf8").match(/^\s*rm .*$/gm) ?? [];
    expect(removals.filter((line) => line.includes("/var/lib"))).toEqual([]);
  }
});

test.each([
  [
    "configure of a new installation without systemd creates the user and prints the next steps",
    ["configure", ""],
  ],
  ["configure of an upgrade prints nothing", ["configure", "1.0.0"]],
])("postinst: %s", (_, words) => {
  const bin = join(temporaryFolder(), "bin");
  mkdirSync(bin);
  for (const tool of ["getent", "groupadd", "useradd", "cat"]) {
    const body =
      tool === "getent" ? "exit 2" : tool === "cat" ? "exec /bin/cat" : `echo ${tool} $*`;
    writeFileSync(join(bin, tool), `#!/bin/sh\n${body}\n`);
    chmodSync(join(bin, tool), 0o755);
  }
  const said = execFileSync("/bin/sh", [join(maintainer, "postinst"), ...words], {
    env: { PATH: bin },
    encoding: "utf8",
  });
  expect(said).toContain("groupadd --system platform-agent\n");
  expect(said).toContain("useradd --system --gid platform --home-dir /var/lib/platform ");
  expect(said.includes("systemctl enable --now platform")).toBe(words[1] === "");
});

describe.skipIf(process.platform !== "linux")("preinst of an upgrade", () => {
  /** Runs it with these settings, on a host without a running server. */
  function upgradeWith(
    settings: string,
    { dataFolder = temporaryFolder(), program = join(bin, "platform") } = {},
  ) {
    const folder = temporaryFolder();
    const file = join(folder, "platform.env");
    writeFileSync(file, settings);
    const backups = join(folder, "backups");
    for (const [name, body] of [
      ["systemctl", "echo inactive"],
      ["setpriv", 'shift 5; exec "$@"'],
    ] as const) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    const script = readFileSync(join(maintainer, "preinst"), "utf8")
      .replaceAll("/etc/platform/platform.env", file)
      .replaceAll("/usr/bin/platform", program)
      .replaceAll("/var/lib/platform", dataFolder)
      .replaceAll("/var/backups/platform", backups);
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", script, "sh", "upgrade", "1"], {
      env: { PATH: `${folder}:/usr/bin:/bin` },
      encoding: "utf8",
    });
    expect(stdout).toBe("");
    return { status, stderr, backups };
  }

  test.each(['"POSTGRES://u:pw@h/d"', " PostgreSQL://u:pw@h/d ", "\t'postgres:x'"])(
    "makes no copy with PLATFORM_DATABASE_URL=%s, and does not print it",
    (url) => {
      expect(upgradeWith(`PLATFORM_DATABASE_URL=${url}\n`)).toMatchObject({
        status: 0,
        stderr: "platform: the database is on a PostgreSQL server, so nothing is backed up here\n",
      });
    },
  );

  test.each([
    ["PLATFORM_DATA_DIR=/none", "/none/platform.db"],
    ["PLATFORM_DATABASE_URL=file:/none/my%20name.db", "/none/my name.db"],
  ])("makes no copy with %s, because there is no file", (setting, place) => {
    expect(upgradeWith(`${setting}\n`)).toMatchObject({
      status: 0,
      stderr: `platform: there is no database at ${place}, so there is nothing to back up\n`,
    });
  });

  test("is refused with an invalid PLATFORM_DATABASE_URL, which is not printed", () => {
    const { status, stderr } = upgradeWith("PLATFORM_DATABASE_URL=postgres//u:pw@h/d\n");
    expect([status, stderr]).toEqual([1, expect.stringContaining("so nothing is upgraded")]);
    expect(stderr).toContain("PLATFORM_DATABASE_URL");
    expect(stderr).not.toContain("pw@h");
  });

  test("is refused if the old program does not say where its database is", () => {
    const program = join(temporaryFolder(), "platform");
    writeFileSync(program, "#!/bin/sh\necho '{}'\n", { mode: 0o755 });
    const { status, stderr } = upgradeWith("", { program });
    expect([status, stderr]).toEqual([1, expect.stringContaining("so nothing is upgraded")]);
    expect(stderr).toContain("version 1 does not say where its database is");
  });

  test("copies a database at a relative path, whose keys are elsewhere", async () => {
    const { app, database, file } = openTestApp();
    await app.close();
    await database.close();
    const [folder, keys] = [temporaryFolder(), temporaryFolder()];
    copyFileSync(file, join(folder, "my fleet.db"));
    const key = join(keys, "chain.key");
    copyFileSync(join(dirname(file), "audit.key"), key);
    const settings = [
      "DATABASE_URL=file:my%20fleet.db",
      `AUDIT_KEY_FILE=${key}`,
      `SESSION_SECRET="${"x".repeat(40)}"`,
    ];
    const lines = settings.map((setting) => `PLATFORM_${setting}\n`);
    const { status, stderr, backups } = upgradeWith(lines.join(""), { dataFolder: folder });
    expect([status, stderr]).toEqual([0, expect.stringContaining(`the copy is ${backups}/`)]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".key"))).toEqual([]);
  });
});
