// Tests `routes create` without a file, which opens a template in the editor.

import { expect, test } from "vitest";
import { cli, failing, openWorld } from "../world.ts";
import { fakeEditor, replace, watchKeptTexts } from "./fake-editor.ts";

async function openDraft() {
  const world = await openWorld();
  const routes = () => world.as("viewer").call("bus-routes.list");
  return { world, routes, kept: watchKeptTexts() };
}

const filledIn =
  replace("^name:", "name: louder") +
  replace("^  type:", "  type: log.full") +
  replace("serviceCode:", "serviceCode: log-collector") +
  replace("  action:", "  action: set-level");

/** A step that removes the comment marks from the route's lines. */
const uncommented = `sed '/^name:/,$s/^\\( *\\)# /\\1/' "$1" > "$D/new" && cat "$D/new" > "$1"\n`;

const at = (editor: string) => ({ io: { interactive: true, editor } });

test("a completed template becomes a route", async () => {
  const { world, routes, kept } = await openDraft();
  const editor = fakeEditor(filledIn);
  const words = ["routes", "create", "--state", "DRY_RUN", "-o", "json"];
  const ran = await world.run("--server", words, at(editor.command));
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

test("with its comment marks removed, the template has all fields of a route", async () => {
  const { world, routes } = await openDraft();
  const editor = fakeEditor(`${filledIn}${uncommented}`);
  const ran = await world.run("--server", ["routes", "create", "-o", "json"], at(editor.command));
  expect(ran).toMatchObject({ status: 0 });
  expect(await routes()).toMatchObject([
    {
      state: "DISABLED",
      match: { type: "log.full", source: "log-collector", data: { "/level": "error" } },
      payload: { file: "/data/file", lines: { const: 10 } },
    },
  ]);
});

test("an unchanged template creates no route, and the editor is not opened if the server would refuse one", async () => {
  const { world, routes, kept } = await openDraft();
  const editor = fakeEditor('touch "$1"');
  expect(await world.run("--server", ["routes", "create"], at(editor.command))).toMatchObject(
    failing(1, "the template was not changed"),
  );
  expect(await routes()).toEqual([]);
  expect(kept()).toEqual([]);

  const unopened = fakeEditor(filledIn);
  const words = ["routes", "create", "--server", world.url];
  expect(await cli(words, at(unopened.command))).toMatchObject({ status: 4, stdout: "" });
  world.app.core.settings.busEnabled = false;
  expect(await world.run("--server", ["routes", "create"], at(unopened.command))).toMatchObject({
    status: 3,
  });
  expect(unopened.times()).toBe(0);
});
