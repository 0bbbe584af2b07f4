// `routes create` without a file: the template, what becomes of what the editor leaves, and that nothing
// of it is lost.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../../helpers/app.ts";
import { cli, openWorld, ways } from "../world.ts";
import { fakeEditor, replace } from "./fake-editor.ts";

async function openDraft() {
  const world = await openWorld();
  const temporary = temporaryFolder();
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  return {
    world,
    routes: () => world.as("viewer").call("bus-routes.list"),
    /** The texts that were left for who has written them. */
    kept: () =>
      readdirSync(temporary)
        .filter((name) => name.startsWith("platformctl-"))
        .map((name) => join(temporary, name, "route.yaml")),
  };
}

const filledIn =
  replace("^name:", "name: louder") +
  replace("^  type:", "  type: log.full") +
  replace("serviceCode:", "serviceCode: log-collector") +
  replace("  action:", "  action: set-level");

/** The rule's lines without their `# `; the head stays. */
const uncommented = `sed '/^name:/,$s/^\\( *\\)# /\\1/' "$1" > "$D/new" && cat "$D/new" > "$1"\n`;

const at = (editor: string) => ({ io: { interactive: true, editor } });

test.each(ways)("%s: the template filled in becomes a route, comments do not", async (way) => {
  const { world, routes, kept } = await openDraft();
  const editor = fakeEditor(filledIn);
  const words = ["routes", "create", "--state", "DRY_RUN", "-o", "json"];
  const ran = await world.run(way, words, at(editor.command));
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    name: "louder",
    state: "DRY_RUN",
    match: { type: "log.full" },
    target: { serviceCode: "log-collector", action: "set-level" },
  });
  expect((await routes()).map(({ name }) => name)).toEqual(["louder"]);
  const template = editor.opened(1);
  expect(template).toMatch(/^# A new route\.\n(# .*\n|#\n)+\nname:\nstate: DRY_RUN\n/);
  expect(Math.max(...template.split("\n").map(({ length }) => length))).toBeLessThan(101);
  expect(editor.modeOf(1)).toBe(0o600);
  expect(kept()).toEqual([]);
});

test("with the comments at its end taken away the template has a whole route's fields", async () => {
  const { world, routes } = await openDraft();
  const editor = fakeEditor(`${filledIn}${uncommented}`);
  const ran = await world.run("--db", ["routes", "create", "-o", "json"], at(editor.command));
  expect(ran).toMatchObject({ status: 0 });
  expect(await routes()).toMatchObject([
    {
      state: "DISABLED",
      match: { type: "log.full", source: "log-collector", data: { "/level": "error" } },
      payload: { file: "/data/file", lines: { const: 10 } },
    },
  ]);
});

test("what cannot be a route is opened again, with what is wrong on top", async () => {
  const { world, routes, kept } = await openDraft();
  const editor = fakeEditor(
    filledIn + replace("log-collector$", "no such"),
    replace("^target:", "tarket:"),
    replace("^tarket:", "target:") + replace("no such", "log-collector"),
  );
  const ran = await world.run("--db", ["routes", "create", "-o", "name"], at(editor.command));
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  const line = /^#! {3}line (\d+): target\.serviceCode: /m.exec(editor.opened(2))?.[1];
  expect(editor.opened(2).split("\n")[Number(line) - 1]).toBe("  serviceCode: no such");
  expect(editor.opened(3)).toMatch(
    /^#! This could not be saved:\n#! .*did you mean target\?\n# A new/,
  );
  expect(await routes()).toHaveLength(1);
  expect(kept()).toEqual([]);
});

test.each([
  { what: "an empty file", steps: [': > "$1"'], says: "the file was empty", keeps: false },
  { what: "the template as it was", steps: [":"], says: "left as it is", keeps: false },
  { what: "it saved unchanged", steps: ['touch "$1"'], says: "left as it is", keeps: false },
  { what: "an editor that fails", steps: ["exit 3"], says: "exited with status 3", keeps: false },
  {
    what: "what is wrong, then left alone",
    steps: [replace("^name:", "name: louder"), ":"],
    says: "not saved again",
    keeps: true,
  },
])("$what makes no route", async ({ steps, says, keeps }) => {
  const { world, routes, kept } = await openDraft();
  const ran = await world.run("--db", ["routes", "create"], at(fakeEditor(...steps).command));
  expect(ran).toMatchObject({ status: 1, stdout: "" });
  expect(ran.stderr).toContain(says);
  expect(await routes()).toEqual([]);
  expect(kept()).toHaveLength(keeps ? 1 : 0);
  const [file] = kept();
  if (file !== undefined)
    expect(parse(readFileSync(file, "utf8"))).toMatchObject({ name: "louder" });
});

test("where nothing could be saved, nothing is opened", async () => {
  const { world } = await openDraft();
  const editor = fakeEditor(filledIn);
  const words = ["routes", "create", "--server", world.url];
  expect(await cli(words, at(editor.command))).toMatchObject({ status: 4, stdout: "" });
  world.app.core.settings.busEnabled = false;
  expect(await world.run("--server", ["routes", "create"], at(editor.command))).toMatchObject({
    status: 3,
  });
  expect(editor.times()).toBe(0);
});

test("without a terminal nothing is opened: it says what to give, and where that is told", async () => {
  const { world } = await openDraft();
  const editor = fakeEditor(filledIn);
  const io = { editor: editor.command };
  const ran = await world.run("--db", ["routes", "create"], { io });
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toMatch(/-f FILE, or -f - for standard input; .*docs\/event-bus\.md/);
  expect(editor.times()).toBe(0);
});
