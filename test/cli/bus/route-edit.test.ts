// Tests `routes edit`: the text in the editor, and which edits are saved, refused or kept.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as base, describe, expect } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { bin } from "../../helpers/process/installed.ts";
import { until } from "../../helpers/process/process.ts";
import { keys, openProgram, openTerminal } from "../../helpers/process/terminal.ts";
import { openWorld, type World, type ways } from "../world.ts";
import { type FakeEditor, fakeEditor, replace, watchKeptTexts } from "./fake-editor.ts";

const test = base.extend("route", () => openRoute());

const platformctl = join(bin, "platformctl");

const rule = {
  name: "louder",
  description: "when a log: is #full",
  state: "ENABLED" as const,
  match: { type: "log.full", data: { "/disk": "full" } },
  target: { serviceCode: "log-collector", action: "set-level" },
  payload: { level: { const: "debug" } },
};

/** A step that waits for `letGo`. */
const wait = ': > "$D/open"; until [ -e "$D/go" ]; do sleep 0.02; done\n';

const whenOpen = ({ folder }: FakeEditor) =>
  until("the editor is open", () => existsSync(join(folder, "open")));

const letGo = ({ folder }: FakeEditor) => writeFileSync(join(folder, "go"), "");

async function openRoute() {
  const world = await openWorld();
  const kept = watchKeptTexts();
  const { id } = await world.as("operator").call("bus-routes.create", { body: rule });
  const params = { routeId: id };
  const get = () => world.as("viewer").call("bus-routes.get", { params });
  return {
    world,
    id,
    get,
    async change(change: object) {
      const { version } = await get();
      const body = { ...rule, ...change, version };
      await world.as("operator").call("bus-routes.update", { params, body });
    },
    kept,
    /** Expects the output to name a kept file that contains this text. */
    expectKept(output: string, text: string) {
      const [file = ""] = kept();
      expect(output).toContain(`Your text is in ${file}.`);
      expect(readFileSync(file, "utf8")).toContain(text);
    },
  };
}

const edit = (
  world: World,
  way: (typeof ways)[number],
  { command }: Pick<FakeEditor, "command">,
  more: string[] = [],
) => world.run(way, ["routes", "edit", "louder", ...more], { io: { editor: command } });

test("changes are saved, comments are not", async ({ route: { world, id, get, kept } }) => {
  const commented = await edit(world, "--server", fakeEditor('echo "# a comment" >> "$1"'));
  expect(commented).toMatchObject({ status: 0, stderr: "\nNothing changed.\n" });
  expect((await get()).version).toBe(1);
  const editor = fakeEditor(`${replace("debug", "info")}echo '# by me' >> "$1"`);
  const script = join(editor.folder, "with");
  writeFileSync(script, `[ "$1 $2" = "--wait a b" ] && ${editor.command} "$3"`);
  const command = `sh '${script}' --wait "a b"`;
  const ran = await edit(world, "--server", { command }, ["-o", "json"]);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  const saved = await get();
  expect(JSON.parse(ran.stdout)).toEqual({ ...saved, warnings: [] });
  expect(saved).toMatchObject({ ...rule, version: 2, payload: { level: { const: "info" } } });
  const text = editor.opened(1);
  expect(text).toContain(`# Route "louder", ${id}, version 1.\n`);
  expect(text).toContain("\nname: louder\n");
  expect(text).not.toMatch(/createdAt|updatedAt/);
  expect(editor.modeOf(1)).toBe(0o600);
  expect(kept()).toEqual([]);
});

test("a removed line removes the field, but without a state the state stays", async () => {
  const { world, get } = await openRoute();
  const editor = fakeEditor('grep -v "^description\\|^state" "$1" > "$D/new"; mv "$D/new" "$1"');
  expect(await edit(world, "--server", editor)).toMatchObject({ status: 0 });
  const route = await get();
  expect(route).not.toHaveProperty("description");
  expect(route).toMatchObject({ state: "ENABLED", version: 2 });
});

test.each([
  [replace("ENABLED$", "ON"), ":18: state: must be one of "],
  [replace("name: louder", "name: [louder"), ":17: flow sequence"],
])("an invalid edit is refused, and the text is kept: %s", async (step, says) => {
  const { world, get, kept } = await openRoute();
  const editor = fakeEditor(`${step}cp "$1" "$D/left"`);
  const { status, stdout, stderr } = await edit(world, "--server", editor);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  const [file = ""] = kept();
  expect(stderr).toContain("the route cannot be saved; your text is kept.");
  expect(stderr).toContain(`\n  ${file}${says}`);
  const left = readFileSync(join(editor.folder, "left"), "utf8");
  expect(readFileSync(file, "utf8")).toBe(left);
  expect(editor.times()).toBe(1);
  expect((await get()).version).toBe(1);
});

test("an empty file, no editor, and an editor that fails or does not exist change nothing", async ({
  route: { world, get, kept },
}) => {
  for (const [command, says] of [
    [
      fakeEditor('echo "# only this" > "$1"').command,
      /^platformctl: cancelled: the file was empty; nothing was changed\.\n$/,
    ],
    [fakeEditor(`${replace("debug", "info")}exit 3`).command, / exited with status 3; nothing/],
    ["/nowhere/editor --wait", /there is no editor \/nowhere\/editor --wait: set /],
  ] as const) {
    const ran = await edit(world, "--server", { command });
    expect(ran).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(says) });
  }
  const none = await world.run("--server", ["routes", "edit", "louder"], {
    io: { editor: undefined },
  });
  expect(none).toMatchObject({
    status: 2,
    stderr:
      "platformctl: there is no terminal for an editor: " +
      "use routes update louder -f FILE, or set EDITOR to a program.\n",
  });
  expect((await get()).version).toBe(1);
  expect(kept()).toEqual([]);
});

test("of two simultaneous edits the first is saved, and the text of the second is kept", async () => {
  const { world, get, expectKept } = await openRoute();
  const first = fakeEditor(replace("debug", "info"));
  const second = fakeEditor(wait + replace("debug", "warn"));
  const editing = edit(world, "--server", second);
  await whenOpen(second);
  expect(await edit(world, "--server", first)).toMatchObject({ status: 0 });
  letGo(second);
  const { status, stdout, stderr } = await editing;
  expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
  expect(stderr).toContain("louder was changed in the meantime, and now has version 2:\n");
  expect(stderr).toContain(
    '\n  payload: {"level":{"const":"debug"}} → {"level":{"const":"info"}}\n',
  );
  expect(stderr).toContain("nothing was saved.");
  expectKept(stderr, "const: warn");
  expect(await get()).toMatchObject({ version: 2, payload: { level: { const: "info" } } });
});

test("the text is kept if the route was deleted in the meantime", async () => {
  const { world, id, expectKept } = await openRoute();
  const editor = fakeEditor(wait + replace("debug", "info"));
  const editing = edit(world, "--server", editor);
  await whenOpen(editor);
  await world.as("operator").call("bus-routes.delete", { params: { routeId: id } });
  letGo(editor);
  const { status, stderr } = await editing;
  expect(status).toBe(3);
  expectKept(stderr, "const: info");
});

describe("an invalid edit at a terminal", () => {
  /** Runs `routes edit` in this process, because it asks nothing. */
  const editAtTerminal = (world: World, { command }: FakeEditor) =>
    world.run("--server", ["routes", "edit", "louder"], {
      io: { editor: command, interactive: true, isTerminal: true },
    });

  test("is opened again, with the problems at the top, until it is valid", async () => {
    const { world, get, kept } = await openRoute();
    const editor = fakeEditor(
      `echo '# mine' >> "$1"\n${replace("ENABLED$", "ON")}`,
      replace("ON$", "DRY_RUN") + replace("log.full", "log*"),
      replace("log\\*", "log.*"),
    );
    expect(await editAtTerminal(world, editor)).toMatchObject({ status: 0 });
    expect(editor.opened(2)).toMatch(
      /^#! This could not be saved:\n#! {3}line 20: state: must be one of.*\n# Route "louder"/,
    );
    expect(editor.opened(2).split("\n")[19]).toBe("state: ON");
    expect(editor.opened(2)).toContain("\n# mine\n");
    const third = editor.opened(3).split("\n");
    expect(third.filter((line) => line.startsWith("#!"))).toEqual([
      "#! This could not be saved:",
      expect.stringMatching(/^#! {3}line 22: match.type: must be a dotted name/),
    ]);
    expect(third[21]).toBe("  type: log*");
    expect(await get()).toMatchObject({
      version: 2,
      state: "DRY_RUN",
      match: { type: "log.*", data: { "/disk": "full" } },
    });
    expect(kept()).toEqual([]);
  });

  test("that is not saved again ends the command, and the text is kept", async () => {
    const { world, get, expectKept } = await openRoute();
    const editor = fakeEditor(replace("ENABLED$", "ON"), ":");
    const { status, stderr } = await editAtTerminal(world, editor);
    expect(status).toBe(1);
    expect(stderr).toContain("cancelled: the text was not saved again; nothing was changed.");
    expectKept(stderr, "state: ON");
    expect((await get()).version).toBe(1);
  });
});

describe("at a terminal", () => {
  /** VISUAL takes precedence over EDITOR. */
  const openEdit = (world: World, editor: FakeEditor, env: Record<string, string> = {}) =>
    openTerminal(["routes", "edit", "louder", "--db", world.db], {
      env: { VISUAL: editor.command, EDITOR: "/nowhere/editor", ...env },
      columns: 200,
      rows: 60,
    });

  test("after a conflict, the user edits the new version, which contains the user's changes", async () => {
    const { world, change, get } = await openRoute();
    const editor = fakeEditor(wait + replace("debug", "info"), 'echo >> "$1"');
    const terminal = openEdit(world, editor);
    await whenOpen(editor);
    await change({ state: "DISABLED", description: "theirs" });
    letGo(editor);
    const again = "Edit again, starting from the new version?";
    await terminal.answer(again, keys.enter);
    const changes = "  description: when a log: is #full → theirs\n  state: ENABLED → DISABLED\n";
    expect(terminal.text()).toContain(`and now has version 2:\n${changes}`);
    expect(await terminal.ended, terminal.text()).toBe(0);
    expect(editor.opened(2)).toMatch(
      /^#! Changed in the meantime:\n#! description: .*\n#! state: ENABLED → DISABLED\n/,
    );
    expect(await get()).toMatchObject({
      version: 3,
      state: "DISABLED",
      description: "theirs",
      payload: { level: { const: "info" } },
    });
  });

  test("Ctrl-C goes to the editor while it is open", async ({ route: { world, get } }) => {
    const editor = fakeEditor(
      `trap ': > "$D/caught"' INT; echo "editing now"
until [ -e "$D/caught" ]; do sleep 0.05; done\n${replace("debug", "info")}`,
    );
    const terminal = openEdit(world, editor);
    await terminal.answer("editing now", keys.ctrlC);
    expect(await terminal.ended, terminal.text()).toBe(0);
    expect((await get()).version).toBe(2);
  });

  test("vi is the default, and uses the terminal even if standard output is a file", async () => {
    const { world, get } = await openRoute();
    const editor = fakeEditor(`echo on the screen; ${replace("debug", "info")}`);
    const vi = `#!/bin/sh\nexec ${editor.command} "$1"`;
    writeFileSync(join(editor.folder, "vi"), vi, { mode: 0o755 });
    const data = join(temporaryFolder(), "data");
    const script = `"$0" routes edit louder -o name --db '${world.db}' > '${data}'`;
    const { PATH = "" } = process.env;
    const env = { VISUAL: "", EDITOR: "", PATH: `${editor.folder}:${PATH}` };
    const terminal = openProgram("sh", ["-c", script, platformctl], { env });
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain("on the screen");
    expect(readFileSync(data, "utf8")).toMatch(/^brt_\w+\n$/);
    expect((await get()).version).toBe(2);
  });
});
