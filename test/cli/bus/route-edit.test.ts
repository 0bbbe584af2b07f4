// `routes edit`: what the editor is given, what becomes of what it leaves, and that nothing of it is
// lost. The editor is a script that does one step after the other.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { bin } from "../../helpers/process/installed.ts";
import { until } from "../../helpers/process/process.ts";
import { keys, openProgram, openTerminal } from "../../helpers/process/terminal.ts";
import { openWorld, type World, ways } from "../world.ts";
import { type FakeEditor, fakeEditor, replace } from "./fake-editor.ts";

const platformctl = join(bin, "platformctl");

const rule = {
  name: "louder",
  description: "when a log: is #full",
  state: "ENABLED" as const,
  match: { type: "log.full", data: { "/disk": "full" } },
  target: { serviceCode: "log-collector", action: "set-level" },
  payload: { level: { const: "debug" } },
};

/** Tells that it is there, and goes on when it may. */
const wait = ': > "$D/open"; until [ -e "$D/go" ]; do sleep 0.02; done\n';

const whenOpen = ({ folder }: FakeEditor) =>
  until("the editor is open", () => existsSync(join(folder, "open")));

const letGo = ({ folder }: FakeEditor) => writeFileSync(join(folder, "go"), "");

async function openRoute() {
  const world = await openWorld();
  // What is edited lies in a folder of its own, which goes with the test.
  const temporary = temporaryFolder();
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
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
    /** The texts that were left for who has written them. */
    kept: () =>
      readdirSync(temporary)
        .filter((name) => name.startsWith("platformctl-"))
        .map((name) => join(temporary, name, "route.yaml")),
  };
}

const edit = (
  world: World,
  way: (typeof ways)[number],
  { command }: Pick<FakeEditor, "command">,
  more: string[] = [],
) => world.run(way, ["routes", "edit", "louder", ...more], { io: { editor: command } });

describe.each(ways)("%s, with nobody there", (way) => {
  test("what was changed is saved, comments are not", async () => {
    const { world, id, get, kept } = await openRoute();
    const editor = fakeEditor(`${replace("debug", "info")}echo '# by me' >> "$1"`);
    const ran = await edit(world, way, editor, ["-o", "json"]);
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

  test("what is the same leaves no trace", async () => {
    const { world, get, kept } = await openRoute();
    const editor = fakeEditor('echo "# a comment" >> "$1"');
    const ran = await edit(world, way, editor);
    expect(ran).toMatchObject({ status: 0, stderr: "\nNothing changed.\n" });
    expect(ran.stdout).toMatch(/^name +louder\n/);
    expect((await get()).version).toBe(1);
    expect(kept()).toEqual([]);
  });

  test("a line that is taken out is left out; without a state the state stays", async () => {
    const { world, get } = await openRoute();
    const editor = fakeEditor('grep -v "^description\\|^state" "$1" > "$D/new"; mv "$D/new" "$1"');
    expect(await edit(world, way, editor)).toMatchObject({ status: 0 });
    const route = await get();
    expect(route).not.toHaveProperty("description");
    expect(route).toMatchObject({ state: "ENABLED", version: 2 });
  });

  test.each([': > "$1"', 'echo "# only this" > "$1"', 'printf "\\n\\n" > "$1"'])(
    "an empty file cancels: %s",
    async (step) => {
      const { world, get, kept } = await openRoute();
      expect(await edit(world, way, fakeEditor(step))).toEqual({
        status: 1,
        stdout: "",
        stderr: "platformctl: cancelled: the file was empty; nothing was changed.\n",
      });
      expect((await get()).version).toBe(1);
      expect(kept()).toEqual([]);
    },
  );

  test.each([
    [replace("ENABLED$", "ON"), ":17: state: Invalid option: "],
    [replace("payload:", "paylaod:"), ":25: there is no field paylaod; did you mean payload?"],
    [replace("name: louder", "name: [louder"), ":16: flow sequence"],
  ])("a bad edit is refused once, and kept: %s", async (step, says) => {
    const { world, get, kept } = await openRoute();
    const editor = fakeEditor(`${step}cp "$1" "$D/left"`);
    const { status, stdout, stderr } = await edit(world, way, editor);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    const [file = ""] = kept();
    expect(stderr).toContain("the route cannot be saved; your text is kept.");
    expect(stderr).toContain(`\n  ${file}${says}`);
    const left = readFileSync(join(editor.folder, "left"), "utf8");
    expect(readFileSync(file, "utf8")).toBe(left);
    expect(editor.times()).toBe(1);
    expect((await get()).version).toBe(1);
  });

  test("an editor that fails changes nothing", async () => {
    const { world, get } = await openRoute();
    const editor = fakeEditor(`${replace("debug", "info")}exit 3`);
    const { status, stderr } = await edit(world, way, editor);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^platformctl: the editor .* exited with status 3; nothing was changed\.\n$/,
    );
    expect((await get()).version).toBe(1);
  });

  test("an editor that there is not is told", async () => {
    const { world } = await openRoute();
    const stderr =
      "platformctl: there is no editor /nowhere/editor --wait: set VISUAL or EDITOR.\n";
    const ran = await edit(world, way, { command: "/nowhere/editor --wait" });
    expect(ran).toMatchObject({ status: 1, stderr });
  });

  test("an editor may have arguments", async () => {
    const { world, get } = await openRoute();
    const editor = fakeEditor(replace("debug", "info"));
    const script = join(editor.folder, "with");
    writeFileSync(script, `[ "$1 $2" = "--wait a b" ] && ${editor.command} "$3"`);
    const command = `sh '${script}' --wait "a b"`;
    expect(await edit(world, way, { command })).toMatchObject({ status: 0 });
    expect((await get()).version).toBe(2);
  });

  test("without an editor the other way is named", async () => {
    const { world } = await openRoute();
    const ran = await world.run(way, ["routes", "edit", "louder"], { io: { editor: undefined } });
    expect(ran).toMatchObject({
      status: 2,
      stderr:
        "platformctl: there is no terminal for an editor: " +
        "use routes update louder -f FILE, or set EDITOR to a program.\n",
    });
  });

  test("of two at once the first wins, and the second's text is kept", async () => {
    const { world, get, kept } = await openRoute();
    const first = fakeEditor(replace("debug", "info"));
    const second = fakeEditor(wait + replace("debug", "warn"));
    const editing = edit(world, way, second);
    await whenOpen(second);
    expect(await edit(world, way, first)).toMatchObject({ status: 0 });
    letGo(second);
    const { status, stdout, stderr } = await editing;
    expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
    expect(stderr).toContain("louder was changed meanwhile, and is in version 2 now:\n");
    expect(stderr).toContain(
      '\n  payload: {"level":{"const":"debug"}} → {"level":{"const":"info"}}\n',
    );
    const [file = ""] = kept();
    expect(stderr).toContain(`nothing was saved. Your text is in ${file}.\n`);
    expect(readFileSync(file, "utf8")).toContain("const: warn");
    expect(await get()).toMatchObject({ version: 2, payload: { level: { const: "info" } } });
  });

  test("of a route that is gone meanwhile the text is kept", async () => {
    const { world, id, kept } = await openRoute();
    const editor = fakeEditor(wait + replace("debug", "info"));
    const editing = edit(world, way, editor);
    await whenOpen(editor);
    await world.as("operator").call("bus-routes.delete", { params: { routeId: id } });
    letGo(editor);
    const { status, stderr } = await editing;
    expect(status).toBe(3);
    const [file = ""] = kept();
    expect(stderr).toContain(`Your text is in ${file}.\n`);
    expect(readFileSync(file, "utf8")).toContain("const: info");
  });
});

describe("in a terminal", () => {
  const openEdit = (world: World, editor: FakeEditor, env: Record<string, string> = {}) =>
    openTerminal(["routes", "edit", "louder", "--db", world.file], {
      env: { VISUAL: editor.command, ...env },
      columns: 200,
      rows: 60,
    });

  test("a bad edit is opened again, with what is wrong on top, until it is right", async () => {
    const { world, get, kept } = await openRoute();
    const editor = fakeEditor(
      `echo '# mine' >> "$1"\n${replace("ENABLED$", "ON")}`,
      replace("ON$", "DRY_RUN") + replace("log.full", "log*"),
      replace("log\\*", "log.*"),
    );
    const terminal = openEdit(world, editor);
    expect(await terminal.ended, terminal.text()).toBe(0);
    expect(editor.opened(2)).toMatch(
      /^#! This could not be saved:\n#! {3}line 19: state: Invalid option.*\n# Route "louder"/,
    );
    expect(editor.opened(2).split("\n")[18]).toBe("state: ON");
    expect(editor.opened(2)).toContain("\n# mine\n");
    // What was told before is not told again; the lines are those of the file as it is open.
    const third = editor.opened(3).split("\n");
    expect(third.filter((line) => line.startsWith("#!"))).toEqual([
      "#! This could not be saved:",
      expect.stringMatching(/^#! {3}line 21: match.type: must be a dotted name/),
    ]);
    expect(third[20]).toBe("  type: log*");
    expect(await get()).toMatchObject({
      version: 2,
      state: "DRY_RUN",
      match: { type: "log.*", data: { "/disk": "full" } },
    });
    expect(kept()).toEqual([]);
  });

  test("a bad edit that is then left alone ends it, and is kept", async () => {
    const { world, get, kept } = await openRoute();
    const terminal = openEdit(world, fakeEditor(replace("ENABLED$", "ON"), ":"));
    expect(await terminal.ended).toBe(1);
    const [file = ""] = kept();
    expect(terminal.text()).toContain(
      `cancelled: the text was not saved again; nothing was changed. Your text is in ${file}.`,
    );
    expect(readFileSync(file, "utf8")).toContain("state: ON");
    expect((await get()).version).toBe(1);
  });

  test("an editor that fails on a bad edit that is open again leaves the text", async () => {
    const { world, get, kept } = await openRoute();
    const terminal = openEdit(world, fakeEditor(replace("ENABLED$", "ON"), "exit 1"));
    expect(await terminal.ended).toBe(1);
    const [file = ""] = kept();
    expect(terminal.text()).toContain(`Your text is in ${file}.\n`);
    expect(terminal.text()).toMatch(/exited with status 1; nothing was changed\.$/);
    expect(readFileSync(file, "utf8")).toContain("state: ON");
    expect((await get()).version).toBe(1);
  });

  async function conflicting(...steps: string[]) {
    const route = await openRoute();
    const editor = fakeEditor(wait + replace("debug", "info"), ...steps);
    const terminal = openEdit(route.world, editor);
    await whenOpen(editor);
    await route.change({ state: "DISABLED", description: "theirs" });
    letGo(editor);
    await terminal.shows("Edit again, on top of that?");
    expect(terminal.text()).toContain("louder was changed meanwhile, and is in version 2 now:\n");
    expect(terminal.text()).toContain("\n  state: ENABLED → DISABLED\n");
    expect(terminal.text()).toContain("\n  description: when a log: is #full → theirs\n");
    return { ...route, editor, terminal };
  }

  test("after a conflict one goes on from what it is now, with one's own changes", async () => {
    const { editor, terminal, get } = await conflicting('echo >> "$1"');
    terminal.type(keys.enter);
    expect(await terminal.ended, terminal.text()).toBe(0);
    expect(editor.opened(2)).toMatch(
      /^#! Meanwhile changed by somebody else:\n#! description: .*\n#! state: ENABLED → DISABLED\n/,
    );
    expect(await get()).toMatchObject({
      version: 3,
      state: "DISABLED",
      description: "theirs",
      payload: { level: { const: "info" } },
    });
  });

  test("an editor that fails after a conflict leaves the text", async () => {
    const { terminal, kept } = await conflicting("exit 1");
    terminal.type(keys.enter);
    expect(await terminal.ended).toBe(1);
    const [file = ""] = kept();
    expect(terminal.text()).toContain(`Your text is in ${file}.\n`);
    expect(readFileSync(file, "utf8")).toContain("const: info");
  });

  test.each([
    { answer: "n", status: 5, steps: [] },
    { answer: "y", status: 1, steps: [":"] },
  ])("after a conflict, $answer and nothing more saves nothing", async (one) => {
    const { terminal, get, kept } = await conflicting(...one.steps);
    terminal.type(`${one.answer}${keys.enter}`);
    expect(await terminal.ended, terminal.text()).toBe(one.status);
    expect((await get()).version).toBe(2);
    const [file = ""] = kept();
    expect(terminal.text()).toContain(`Your text is in ${file}.`);
    expect(readFileSync(file, "utf8")).toContain("const: info");
  });

  test("Ctrl-C is the editor's, while it is open", async () => {
    const { world, get } = await openRoute();
    const editor = fakeEditor(
      `trap ': > "$D/caught"' INT; echo "editing now"
until [ -e "$D/caught" ]; do sleep 0.05; done\n${replace("debug", "info")}`,
    );
    const terminal = openEdit(world, editor);
    await terminal.shows("editing now");
    terminal.type(keys.ctrlC);
    expect(await terminal.ended, terminal.text()).toBe(0);
    expect((await get()).version).toBe(2);
  });

  test("Ctrl-C at the question ends it; nothing is saved, and the text is kept", async () => {
    const { terminal, get, kept } = await conflicting();
    terminal.type(keys.ctrlC);
    expect(await terminal.ended).toBe(130);
    expect((await get()).version).toBe(2);
    const [file = ""] = kept();
    expect(terminal.text()).toContain(`Your text is in ${file}.`);
    expect(readFileSync(file, "utf8")).toContain("const: info");
  });

  test("VISUAL comes before EDITOR, and vi is there without them", async () => {
    const { world, get } = await openRoute();
    const editor = fakeEditor("exit 0", replace("debug", "info"));
    await openEdit(world, editor, { EDITOR: "/nowhere/editor" }).ended;
    expect(editor.times()).toBe(1);
    const { PATH = "" } = process.env;
    const vi = `#!/bin/sh\nexec ${editor.command} "$1"`;
    writeFileSync(join(editor.folder, "vi"), vi, { mode: 0o755 });
    const env = { VISUAL: "", EDITOR: "", PATH: `${editor.folder}:${PATH}` };
    expect(await openEdit(world, editor, env).ended).toBe(0);
    expect((await get()).version).toBe(2);
  });

  test("where data goes elsewhere, the editor has the terminal all the same", async () => {
    const { world } = await openRoute();
    const editor = fakeEditor("echo on the screen");
    const data = join(temporaryFolder(), "data");
    const script = `"$0" routes edit louder -o name --db '${world.file}' > '${data}'`;
    const env = { VISUAL: editor.command };
    const terminal = openProgram("sh", ["-c", script, platformctl], { env });
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain("on the screen");
    expect(readFileSync(data, "utf8")).toMatch(/^brt_\w+\n$/);
  });
});
