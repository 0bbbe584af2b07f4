// `platform install` and `uninstall` under a temporary root, with a small script as the program.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Invocation } from "../../../src/cli/command.ts";
import { ending, installFrom } from "../../../src/cli/commands/host/install.ts";
import { uninstall } from "../../../src/cli/commands/host/uninstall.ts";
import { commandLine } from "../../../src/cli/commands/index.ts";
import { CliError } from "../../../src/cli/exit.ts";
import { Disk } from "../../../src/cli/install/disk.ts";
import { prepare } from "../../../src/cli/install/install.ts";
import { layout, placesBelow } from "../../../src/cli/install/layout.ts";
import type { RunningProgram } from "../../../src/cli/install/preconditions.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { size } from "../../helpers/size.ts";
import { cli } from "../world.ts";

const draftOfList = ".installed.json.platform-install";
const settings = "etc/platform/platform.env";
const unit = "usr/local/lib/systemd/system/platform.service";

const { commands, ...rest } = await commandLine();
/** Two commands, because each group of commands has a man page, and installing many takes time. */
const table = { ...rest, commands: commands.filter(({ name }) => /^(serve|doctor)$/.test(name)) };
const about = { version: "1.0.0", buildTime: undefined, table };
const all = await layout(placesBelow("/usr/local"), about);

function openHost(version = "1.0.0") {
  const folder = temporaryFolder();
  const root = join(folder, "root");
  const program = join(folder, "download");
  const bring = (next: string) => {
    writeFileSync(program, `#!/bin/sh\necho ${next}\n`);
    version = next;
  };
  bring(version);
  const run = (work: (invocation: Invocation) => Promise<unknown>, options: object) =>
    printedBy(work, { prefix: "/usr/local", root, ...options }, version);
  return {
    root,
    program,
    bring,
    at: (path: string) => join(root, path),
    read: (path: string) => readFileSync(join(root, path), "utf8"),
    install: (options: object = {}, running: Partial<RunningProgram> = {}) =>
      run((i) => installFrom({ file: program, system: "linux", ...running }, i), options),
    uninstall: (options: object = {}) => run(uninstall as never, options),
  };
}

type Host = ReturnType<typeof openHost>;

async function printedBy(
  work: (invocation: Invocation) => Promise<unknown>,
  options: Record<string, unknown>,
  version: string,
): Promise<{ status: number; out: string; note: string }> {
  const printed = { status: 0, out: "", note: "" };
  const io = {
    program: "platform",
    env: { VERSION: version },
    interactive: false,
    isTerminal: false,
    width: undefined,
    out(text: string) {
      printed.out += text;
    },
    note(text: string) {
      printed.note += text;
    },
  };
  const { signal } = new AbortController();
  try {
    await work({
      io,
      options,
      signal,
      args: [],
      table: async () => table,
    } as unknown as Invocation);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    printed.status = error.status;
    printed.note += error.message;
  }
  return printed;
}

function tree(host: Host): Record<string, string> {
  const found: Record<string, string> = {};
  if (!existsSync(host.root)) return found;
  for (const entry of readdirSync(host.root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const stats = lstatSync(path);
    const name = path.slice(host.root.length);
    if (stats.isSymbolicLink()) found[name] = `-> ${readlinkSync(path)}`;
    else if (stats.isDirectory()) found[name] = "folder";
    else found[name] = `${(stats.mode & 0o777).toString(8)} ${readFileSync(path, "utf8")}`;
  }
  return found;
}

test("everything is installed as the layout says, whatever the umask is, and the program runs", async () => {
  const host = openHost();
  const before = process.umask(0o077);
  const { status, out, note } = await host.install().finally(() => process.umask(before));
  expect([status, note]).toEqual([0, "\nplatform 1.0.0 is installed below /usr/local.\n"]);
  expect(out).toMatch(/^add +program +\/usr\/local\/bin\/platform$/m);
  expect(out).toMatch(/^add +\d+ man pages +\/usr\/local\/share\/man\/man1\/$/m);
  const found = tree(host);
  for (const item of all) {
    const actual = found[item.path];
    if (item.kind === "link") expect(actual).toBe(`-> ${item.target}`);
    if (item.kind === "file") expect(actual).toBe(`${item.mode.toString(8)} ${item.content}`);
    if (item.kind === "folder") expect(actual).toBe("folder");
  }
  const ran = spawnSync(host.at("usr/local/bin/platformctl"), { encoding: "utf8" });
  expect(ran.stdout).toBe("1.0.0\n");
  expect(Object.keys(found).filter((path) => path.endsWith(".platform-install"))).toEqual([]);
  const closed = Object.keys(found).filter((path) => {
    const stats = lstatSync(host.at(path));
    return !stats.isSymbolicLink() && (stats.mode & 0o044) !== 0o044;
  });
  expect(closed).toEqual([`/${settings}`]);
});

test("after an update, only what is running is restarted", () => {
  const context = { version: "1.1.0", prefix: "/usr/local", isHere: true, dryRun: false };
  const note = ending({ isDone: false, before: "1.0.0", steps: [] }, context);
  expect(note).toContain("systemctl try-restart platform 'platform-agent@*'\n");
  expect(note).not.toContain("systemctl restart");
});

test("a dry run prints the same as a real run and changes nothing", async () => {
  const host = openHost();
  const dry = await host.install({ dryRun: true });
  const { out: json } = await host.install({ output: "json", dryRun: true });
  const path = "/usr/local/share/man/man1/platform.1";
  expect(JSON.parse(json)).toContainEqual({ action: "add", what: "man page", path, note: null });
  expect(tree(host)).toEqual({});
  expect(dry.note).toBe("\nNothing was changed: this was a dry run.\n");
  const { out } = await host.install();
  expect(dry.out).toBe(out);
  const before = tree(host);
  const gone = await host.uninstall({ dryRun: true });
  expect(tree(host)).toEqual(before);
  expect(gone.out).toBe((await host.uninstall()).out);
});

test("a second run changes nothing, unless files are missing or have another mode", async () => {
  const host = openHost();
  await host.install();
  const whole = tree(host);
  const note = "platform 1.0.0 is installed below /usr/local: nothing to do.\n";
  expect(await host.install()).toEqual({ status: 0, out: "", note });
  rmSync(host.at(unit));
  chmodSync(host.at("usr/local/bin/platform"), 0o600);
  const { out } = await host.install();
  expect(out).toMatch(/^update +program .*its mode$/m);
  expect(out).toMatch(/^add +unit /m);
  expect(out.trim().split("\n")).toHaveLength(3);
  expect(tree(host)).toEqual(whole);
});

test("another version replaces unchanged files, and leaves changed files that it does not have", async () => {
  const host = openHost();
  await host.install();
  const list = "usr/local/lib/platform/installed.json";
  const old = "/usr/local/share/man/man1/platform-old.1";
  const kept = "/usr/local/share/man/man1/platform-kept.1";
  const manifest = JSON.parse(host.read(list));
  writeFileSync(host.at(old), "of 1.0.0");
  writeFileSync(host.at(kept), "changed");
  const [ofOld] = manifest.files["/usr/local/bin/platform"];
  manifest.files[kept] = [ofOld];
  manifest.files[old] = ["sha256:7f6a2ae5c1fbb4b5a4b6ad5cb3e1d2b1"];
  writeFileSync(host.at(list), JSON.stringify(manifest));
  host.bring("1.1.0");
  const first = await host.install();
  expect(first.note).toContain("platform 1.1.0 is installed below /usr/local, and replaces 1.0.0.");
  expect(first.out).toMatch(/^update +program /m);
  expect(first.out).toMatch(/^leave +old .*platform-old\.1 /m);
  expect(host.read("usr/local/bin/platform")).toContain("1.1.0");
  expect(host.read(old)).toBe("of 1.0.0");
  expect(JSON.parse(host.read(list)).files[old]).toBeUndefined();
  expect((await host.install()).note).toContain("nothing to do");
});

test("changed settings are kept, and a new default is written beside them once", async () => {
  const host = openHost();
  await host.install();
  writeFileSync(host.at(settings), "PLATFORM_PORT=9000\n");
  const same = await host.install();
  expect(same.out).toMatch(/^leave +configuration +\/etc\/platform\/platform\.env +changed here/m);
  expect(existsSync(host.at(`${settings}.new`))).toBe(false);

  forget(host, settings);
  const { out, note } = await host.install();
  expect(host.read(settings)).toBe("PLATFORM_PORT=9000\n");
  expect(host.read(`${settings}.new`)).toContain("#PLATFORM_PORT=8080\n");
  expect(lstatSync(host.at(`${settings}.new`)).mode & 0o777).toBe(0o600);
  expect(out).toMatch(/^add +configuration +\/etc\/platform\/platform\.env\.new/m);
  expect(note).toContain("Settings that were changed are kept.");

  expect((await host.install()).note).toContain("nothing to do");
  expect(existsSync(host.at(`${settings}.new`))).toBe(true);
  // The administrator has taken over the new settings and deleted the file.
  rmSync(host.at(`${settings}.new`));
  await host.install();
  expect(existsSync(host.at(`${settings}.new`))).toBe(false);
});

test("the run after an interrupted update writes the new defaults beside changed settings", async () => {
  const host = openHost();
  await host.install();
  writeFileSync(host.at(settings), "PLATFORM_PORT=9000\n");
  forget(host, settings);
  // The list is written, but not the new defaults.
  await expect(carryOut(new FailingDisk(host.root, 1), host)).rejects.toThrow("the disk is full");
  expect(existsSync(host.at(`${settings}.new`))).toBe(false);
  await host.install();
  expect(existsSync(host.at(`${settings}.new`))).toBe(true);
});

test("files that were not installed require --force, and folders must be moved by hand", async () => {
  const host = openHost();
  mkdirSync(host.at("usr/local/bin"), { recursive: true });
  symlinkSync("/opt/platform/1", host.at("usr/local/bin/platform"));
  const before = tree(host);
  const note =
    `${host.at("usr/local/bin/platform")} already exists, and was not installed by this program. ` +
    "Check what it is; --force replaces what exists.";
  expect(await host.install()).toMatchObject({ status: 5, note });
  expect(tree(host)).toEqual(before);
  const forced = await host.install({ force: true });
  expect(forced.out).toMatch(/^update +program .* was not installed by this program$/m);
  expect(lstatSync(host.at("usr/local/bin/platform")).isFile()).toBe(true);

  writeFileSync(host.at(unit), "[Service]\n");
  expect((await host.install()).status).toBe(5);
  expect(host.read(unit)).toBe("[Service]\n");
  rmSync(host.at(unit));
  mkdirSync(host.at(unit));
  expect(await host.install({ force: true })).toMatchObject({
    status: 5,
    note: expect.stringContaining("manually move the folders away"),
  });
});

test("a link that replaces a folder is followed only below the root", async () => {
  const host = openHost();
  mkdirSync(host.at("srv/settings"), { recursive: true });
  mkdirSync(host.at("etc"));
  symlinkSync("../srv/settings", host.at("etc/platform"));
  expect((await host.install()).status).toBe(0);
  expect(host.read("srv/settings/platform.env")).toContain("PLATFORM_PORT");
  expect((await host.install()).note).toContain("nothing to do");
  await host.uninstall();
  expect(filesOf(host)).toEqual(["/etc/platform"]);
  // The second link leads outside the root.
  for (const target of ["../srv/nothing", temporaryFolder()]) {
    rmSync(host.at("etc/platform"));
    symlinkSync(target, host.at("etc/platform"));
    const { status, note } = await host.install({ force: true });
    expect(status).toBe(5);
    expect(note).toMatch(
      /etc\/platform already exists.*manually move it away, because a folder is needed there\.$/,
    );
  }
});

test.each([
  [{ prefix: "/" }, {}, 2, /--prefix must be an absolute path/],
  [{ prefix: "/usr/../etc" }, {}, 2, /--prefix must be an absolute path/],
  [{ prefix: "/opt/my programs" }, {}, 2, /letters, digits/],
  [{}, { system: "darwin" as const }, 5, /are for Linux hosts.*platformctl/],
])(
  "an installation with the options %j is refused with advice (program: %j)",
  async (options, running, status, says) => {
    const host = openHost();
    const refused = await host.install(options, running);
    expect([refused.status, refused.note]).toEqual([status, expect.stringMatching(says)]);
    expect(tree(host)).toEqual({});
  },
);

test("a command that runs from its sources refuses to install", async () => {
  const root = temporaryFolder();
  const { status, stderr } = await cli(["install", "--root", root]);
  expect([status, stderr]).toEqual([
    5,
    expect.stringMatching(/only the packaged program.*npm run package/),
  ]);
  const none = await cli(["uninstall", "--root", root]);
  expect([none.status, none.stderr]).toEqual([3, expect.stringContaining("nothing is installed")]);
});

const isRoot = process.geteuid?.() === 0;
const somebody = 65533;

test.skipIf(!isRoot)("root neither installs nor uninstalls where others can write", async () => {
  const host = openHost();
  const bin = host.at("usr/local/bin");
  mkdirSync(bin, { recursive: true });
  for (const [owner, mode] of [
    [somebody, 0o755],
    [0, 0o777],
  ] as const) {
    chownSync(bin, owner, owner);
    chmodSync(bin, mode);
    const before = tree(host);
    const { status, note } = await host.install({ force: true });
    expect([status, note]).toEqual([5, expect.stringContaining(bin)]);
    expect(note).toContain("chown root, chmod go-w");
    expect(tree(host)).toEqual(before);
  }
  chmodSync(bin, 0o755);
  expect((await host.install()).status).toBe(0);
  const whole = tree(host);
  // Anyone who can write to this folder decides which files are removed.
  chmodSync(host.at("usr/local/lib/platform"), 0o777);
  expect((await host.uninstall({ dryRun: true })).status).toBe(5);
  expect((await host.uninstall()).status).toBe(5);
  expect(tree(host)).toEqual(whole);
});

test("a link in place of a draft does not change its target", async () => {
  const folder = temporaryFolder();
  const victim = join(folder, "victim");
  writeFileSync(victim, "secret", { mode: 0o600 });
  const source = join(folder, "source");
  spawnSync("mkfifo", [source]);
  const copying = new Disk(folder).copy(source, "/laid", 0o755);
  const findDraft = () => readdirSync(folder).find((name) => name.endsWith(".platform-install"));
  await expect.poll(findDraft, { interval: 1 }).toBeDefined();
  const draft = join(folder, findDraft() ?? "");
  rmSync(draft);
  symlinkSync(victim, draft);
  await writeFile(source, "program");
  await copying;
  const { mode } = lstatSync(victim);
  expect([readFileSync(victim, "utf8"), mode & 0o777]).toEqual(["secret", 0o600]);
});

test("a missing permission is reported before anything changes", async () => {
  const host = openHost();
  const disk = new (class extends Disk {
    override makeFolder(): Promise<void> {
      throw Object.assign(new Error("EACCES"), { code: "EACCES" });
    }
  })(host.root);
  await expect(carryOut(disk, host)).rejects.toMatchObject({
    status: 4,
    message: expect.stringMatching(/^this user cannot change .*: run this command as root \(sudo/),
  });
});

test("after an installation that failed at any step, the next run completes it or uninstall removes it", async () => {
  const whole = openHost();
  await carryOut(new Disk(whole.root), whole);
  const expected = filesOf(whole);
  let at = 0;
  for (; ; at += size(5, 1)) {
    const host = openHost();
    const failed = await carryOut(new FailingDisk(host.root, at), host).then(
      () => null,
      (error: unknown) => error as Error,
    );
    if (failed === null) break;
    expect(failed.message).toMatch(/the disk is full\. Fix this, and run the command again/);
    if (at % 2 === 0) {
      await carryOut(new Disk(host.root), host);
      expect([at, filesOf(host)]).toEqual([at, expected]);
    }
    // A removal that was interrupted can be resumed.
    rmSync(host.at("usr/local/share"), { recursive: true, force: true });
    const gone = await host.uninstall();
    // Without the list of installed files, only empty folders can exist.
    if (gone.status !== 0) expect(gone.status).toBe(3);
    expect([at, filesOf(host).filter((path) => !path.endsWith(draftOfList))]).toEqual([at, []]);
  }
  // There is a step for every folder and every file, and two for the list.
  expect(at).toBeGreaterThan(30);
});

test("the next run completes an update that failed at any step, even with another version", async () => {
  for (const at of [0, 1, 2, 3]) {
    const host = openHost("1.0.0");
    await carryOut(new Disk(host.root), host);
    host.bring("1.1.0");
    rmSync(host.at(unit));
    const failing = new FailingDisk(host.root, at);
    await carryOut(failing, host, "1.1.0").catch(() => undefined);
    host.bring("1.2.0");
    await carryOut(new Disk(host.root), host, "1.2.0");
    expect(host.read("usr/local/bin/platform")).toContain("1.2.0");
    expect(existsSync(host.at(unit))).toBe(true);
    await host.uninstall();
    expect(filesOf(host)).toEqual([]);
  }
});

test("uninstall leaves only data and files that were not installed", async () => {
  const host = openHost();
  mkdirSync(host.at("usr/local/bin"), { recursive: true });
  await carryOut(new Disk(host.root), host);
  mkdirSync(host.at("var/lib/platform"), { recursive: true });
  writeFileSync(host.at("var/lib/platform/platform.db"), "data");
  writeFileSync(host.at("etc/platform/agents/edge-7.yaml"), "mine");
  writeFileSync(host.at("usr/local/share/man/man1/other.1"), "other");
  const { status, note } = await host.uninstall();
  expect(status).toBe(0);
  expect(note).toBe(
    "\nplatform 1.0.0 is no longer installed below /usr/local.\n" +
      "Not removed, because they contain data or were not installed by this program: " +
      `${["etc/platform/agents", "etc/platform", "var/lib/platform"].map(host.at).join(", ")}.\n`,
  );
  expect(filesOf(host)).toEqual([
    "/etc/platform/agents/edge-7.yaml",
    "/usr/local/share/man/man1/other.1",
    "/var/lib/platform/platform.db",
  ]);
  expect(existsSync(host.at("usr/local/bin"))).toBe(true);
  expect(existsSync(host.at("usr/local/lib"))).toBe(false);
});

test("settings that existed or were changed are removed only on request and with a confirmation", async () => {
  const host = openHost();
  mkdirSync(host.at("etc/platform"), { recursive: true });
  // These settings existed before the installation.
  writeFileSync(host.at(settings), "PLATFORM_PORT=9000\n");
  await host.install();
  expect(host.read(settings)).toBe("PLATFORM_PORT=9000\n");
  const note = expect.stringContaining("Add --yes");
  expect(await host.uninstall({ purge: true })).toMatchObject({ status: 5, note });
  expect(existsSync(host.at(unit))).toBe(true);
  expect((await host.uninstall({ purge: true, yes: true })).status).toBe(0);
  expect(filesOf(host)).toEqual([]);
});

test("running units, and units that start at boot, must be disabled first", async () => {
  const host = openHost();
  await carryOut(new Disk(host.root), host);
  const wants = "etc/systemd/system/multi-user.target.wants";
  mkdirSync(host.at(wants), { recursive: true });
  for (const name of ["platform.service", "platform-agent@edge-7.service", "nginx.service"]) {
    symlinkSync("/somewhere", host.at(`${wants}/${name}`));
  }
  const units = "platform-agent@edge-7.service platform.service";
  expect(await host.uninstall()).toMatchObject({
    status: 5,
    note: expect.stringContaining(`systemctl disable --now ${units}`),
  });
  rmSync(host.at(wants), { recursive: true });
  const slices = "sys/fs/cgroup/system.slice/system-platform\\x2dagent.slice";
  for (const [group, name] of [
    ["sys/fs/cgroup/system.slice/platform.service", "platform.service"],
    ["sys/fs/cgroup/systemd/system.slice/platform.service", "platform.service"],
    [`${slices}/platform-agent@a.service`, "platform-agent@a.service"],
  ] as const) {
    mkdirSync(host.at(group), { recursive: true });
    const note = expect.stringContaining(`disable --now ${name}\``);
    expect(await host.uninstall()).toMatchObject({ status: 5, note });
    expect(existsSync(host.at(unit))).toBe(true);
    rmSync(host.at(group), { recursive: true });
  }
  expect((await host.uninstall()).status).toBe(0);
});

test("settings stay while another installation uses them", async () => {
  const host = openHost();
  await host.install();
  await host.install({ prefix: "/usr" });
  const first = await host.uninstall({ purge: true, yes: true });
  expect(first.status).toBe(0);
  expect(first.out).toMatch(/^leave +file +\/etc\/platform\/platform\.env +\/usr\/bin\/platform/m);
  expect(filesOf(host)).toContain(`/${settings}`);
  expect(filesOf(host).filter((path) => path.startsWith("/usr/local"))).toEqual([]);
  // An installation whose program does not exist is ignored.
  mkdirSync(host.at("etc/systemd/system"), { recursive: true });
  const stray = host.at("etc/systemd/system/platform.service");
  writeFileSync(stray, "ExecStart=/opt/bin/platform serve");
  expect((await host.uninstall({ prefix: "/usr" })).status).toBe(0);
  expect(filesOf(host)).toEqual(["/etc/systemd/system/platform.service"]);
});

test("an invalid list is refused, and nothing changes", async () => {
  const host = openHost();
  await carryOut(new Disk(host.root), host);
  for (const text of ["", "{}", '{"version":"1","files":{"/etc/passwd":1},"folders":[]}']) {
    writeFileSync(host.at("usr/local/lib/platform/installed.json"), text);
    const before = tree(host);
    for (const work of [host.install, host.uninstall]) {
      const refused = await work();
      expect([refused.status, refused.note]).toEqual([1, expect.stringContaining("--force")]);
    }
    expect(tree(host)).toEqual(before);
  }
});

/** Changes the list as if an older version had installed another default. */
function forget(host: Host, path: string): void {
  const list = host.at("usr/local/lib/platform/installed.json");
  const manifest = JSON.parse(readFileSync(list, "utf8"));
  manifest.files[`/${path}`] = ["sha256:of-an-older-version"];
  writeFileSync(list, JSON.stringify(manifest));
}

function filesOf(host: Host): string[] {
  const files = Object.entries(tree(host)).filter(([, what]) => what !== "folder");
  return files.map(([path]) => path).sort();
}

async function carryOut(disk: Disk, { program }: Host, version = "1.0.0"): Promise<void> {
  const place = { disk, prefix: "/usr/local" };
  const prepared = await prepare({ ...place, items: all, program, version, force: false });
  await prepared.carryOut(new AbortController().signal);
}

/** All changes after the first `changes` fail, and leave half of a draft. */
class FailingDisk extends Disk {
  #left: number;

  constructor(root: string, changes: number) {
    super(root);
    this.#left = changes;
  }

  override write(...change: Parameters<Disk["write"]>) {
    return this.#change(change[0], () => super.write(...change));
  }

  override copy(...change: Parameters<Disk["copy"]>) {
    return this.#change(change[1], () => super.copy(...change));
  }

  override link(...change: Parameters<Disk["link"]>) {
    return this.#change(change[0], () => super.link(...change));
  }

  override makeFolder(...change: Parameters<Disk["makeFolder"]>) {
    return this.#change(null, () => super.makeFolder(...change));
  }

  async #change(path: string | null, work: () => Promise<void>): Promise<void> {
    if (this.#left-- > 0) return work();
    const draft = path && this.at(path).replace(/([^/]+)$/, ".$1.platform-install");
    if (draft) writeFileSync(draft, "half");
    throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  }
}
