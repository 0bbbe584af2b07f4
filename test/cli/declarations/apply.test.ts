import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { stringify } from "yaml";
import type { Body } from "../../../src/api/index.ts";
import { examples } from "../../core/declarations/declaring.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { failing, openWorld, test, type World } from "../world.ts";

const route = `kind: BusRoute
name: louder
match: { type: log.full }
target: { serviceCode: log-collector, action: set-level }
`;
const view = "kind: SavedView\nname: offline\nnoun: agents\nquery: { status: OFFLINE }\n";

/** Writes the files into a new folder, and returns its path. */
function folderWith(files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(temporaryFolder(), "deploy-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const both = {
  "routes/a.yaml": route,
  "views.yml": view,
  "notes.txt": "kind: x",
  ".git/x.yaml": "{",
};

async function stored({ as }: World): Promise<number[]> {
  const routes = await as("owner").page("bus-routes.list");
  const views = await as("owner").page("saved-views.list");
  return [routes.pagination.total, views.pagination.total];
}

describe("apply", () => {
  test("refuses a number that would be rounded, and names its place", async ({ world }) => {
    const folder = folderWith({
      "a.yaml": `${route}payload: { level: { const: 1${"0".repeat(16)} } }\n`,
    });
    expect(await world.run("--server", ["apply", "-f", folder, "--yes"])).toMatchObject(
      failing(2, /a\.yaml:5:28: 10{16} is too large: whole numbers above/),
    );
    expect(await stored(world)).toEqual([0, 0]);
  });

  test("reads a folder, asks, applies it, and repeats it without a change", async ({ world }) => {
    const way = "--server";
    const folder = folderWith(both);
    const columns = ["--columns", "change,kind,name,file"];
    const preview = ["apply", "-f", folder, "--dry-run", ...columns];
    const dry = await world.run(way, preview);
    expect(dry).toMatchObject({ status: 0, stderr: "Dry run: 2 to create.\n" });
    expect(await world.run(way, [...preview, "--exit-code"])).toEqual({ ...dry, status: 9 });
    expect(dry.stdout.split("\n").slice(1, 3)).toEqual([
      "created  BusRoute   louder   routes/a.yaml",
      "created  SavedView  offline  views.yml",
    ]);
    const refused = await world.run(way, ["apply", "-f", folder]);
    expect(refused.status).toBe(5);
    expect(refused.stderr).toContain("Apply this to the set default: 2 to create? Add --yes");
    expect(await stored(world)).toEqual([0, 0]);
    const done = await world.run(way, ["apply", "-f", folder, "--yes"]);
    expect(done).toMatchObject({ status: 0, stderr: "2 created.\n" });
    expect(await stored(world)).toEqual([1, 1]);
    const shown = await world.run(way, ["routes", "get", "louder"]);
    expect(shown.stdout).toMatch(/^declared +routes\/a\.yaml \(set default\)$/m);
    const again = await world.run(way, ["apply", "-f", folder]);
    expect(again).toEqual({ status: 0, stdout: "", stderr: "2 unchanged.\n" });
    expect(await world.run(way, [...preview, "--exit-code"])).toMatchObject({ status: 0 });
    const really = await world.run(way, ["apply", "-f", folder, "--exit-code"]);
    expect(really).toMatchObject(failing(2, "--exit-code is for --dry-run"));
  });

  test("says what a change of the settings takes away: with --dry-run, before it asks, and when it is done", async ({
    world,
  }) => {
    const labels = { tier: "web" };
    await world.registerAgent("edge-3", [{ code: "shop", name: "shop", version: "1", labels }]);
    const settings = {
      auditRetentionDays: 1,
      commandRetentionDays: 3000,
      operatorLabels: ["tier"],
    };
    const folder = folderWith({ "settings.yaml": stringify({ kind: "Settings", settings }) });
    const losses =
      "The next maintenance sweep deletes older data: it keeps audit events for 1 day " +
      "instead of 90.\n" +
      "The label tier, which agents report for 1 service, will count only where it is assigned: " +
      "platformctl services label SERVICE tier=VALUE\n";
    for (const { how, status, ends } of [
      { how: ["--dry-run"], status: 0, ends: /\nDry run: 1 to update\.\n$/ },
      { how: [], status: 5, ends: /Add --yes to confirm/ },
      { how: ["--yes"], status: 0, ends: /\n1 updated\.\n$/ },
    ]) {
      const ran = await world.run("--server", ["apply", "-f", folder, ...how]);
      expect(ran).toMatchObject({ status, stderr: expect.stringMatching(ends) });
      expect(ran.stderr.slice(0, losses.length)).toBe(losses);
    }
  });

  test("shows differences of YAML", async ({ world }) => {
    await world.run("--server", ["apply", "-f", folderWith({ "a.yaml": route }), "--yes"]);
    const changed = folderWith({
      "a.yaml": route.replace("log.full", "disk.full"),
      "b.yaml": view,
    });
    const { stdout } = await world.run("--server", ["apply", "-f", changed, "--diff", "--dry-run"]);
    expect(stdout).toBe(`--- stored/BusRoute/louder
+++ a.yaml
@@ -2,7 +2,7 @@
 name: louder
 state: DISABLED
 match:
-  type: log.full
+  type: disk.full
 target:
   serviceCode: log-collector
   action: set-level
--- /dev/null
+++ b.yaml
@@ -0,0 +1,6 @@
+kind: SavedView
+name: offline
+noun: agents
+query:
+  status: OFFLINE
+shared: true
`);
    const same = ["apply", "-f", folderWith({ "a.yaml": route }), "--diff"];
    const unchanged = await world.run("--server", [...same, "--dry-run"]);
    expect(unchanged).toMatchObject({ stdout: "", stderr: "Dry run: 1 unchanged.\n" });
    const { data } = await world.as("viewer").page("bus-routes.list");
    await world
      .as("operator")
      .call("bus-routes.delete", { params: { routeId: data[0]?.id ?? "" } });
    const { name, match, target, payload } = data[0] as Body<"bus-routes.create">;
    await world
      .as("operator")
      .call("bus-routes.create", { body: { name, match, target, payload } });
    const adopts = "BusRoute/louder would belong to the set; its content stays.\n";
    expect((await world.run("--server", [...same, "--dry-run"])).stdout).toBe(adopts);
    const adopted = "BusRoute/louder now belongs to the set; its content stays.\n";
    expect((await world.run("--server", [...same, "--yes"])).stdout).toBe(adopted);
    const json = await world.run("--server", ["apply", "-f", changed, "--diff", "-o", "json"]);
    expect(json).toMatchObject(failing(2, "--diff is for people"));
  });

  test("prunes, and keeps sets apart", async ({ world }) => {
    await world.run("--server", ["apply", "-f", folderWith(both), "--set", "one", "--yes"]);
    const less = folderWith({ "views.yaml": view });
    const other = await world.run("--server", ["apply", "-f", less, "--prune", "--yes"]);
    expect(other).toMatchObject(failing(2, /views\.yaml:2:1: name: the set one already declares/));
    const pruned = await world.run(
      "--server",
      `apply -f ${less} --set one --prune --yes`.split(" "),
    );
    expect(pruned).toMatchObject({ status: 0, stderr: "1 deleted, 1 unchanged.\n" });
    expect(await stored(world)).toEqual([0, 1]);
    const names = ["apply", "-f", "-", "--set", "one", "--yes", "-o", "name"];
    const renamed = await world.run("--server", names, { stdin: view.replace("OFF", "ON") });
    expect(renamed.stdout).toBe("SavedView/offline\n");
  });
});

describe("mistakes", () => {
  test("are shown together with file, line and column, and nothing changes", async ({ world }) => {
    const way = "--db";
    const folder = folderWith({
      ...both,
      "bad/a.yaml": "kind: BusRoute\nname: [\n",
      "bad/b.yaml": `${view}---\nkind: SavedView\nname: x\nnoun: agnets\nqury: {}\n`,
      "bad/c.json": '{\n  "kind": "BusRuote"\n}\n',
      "bad/d.yaml": "kind: Settings\nkind: Settings\n",
    });
    const { status, stderr, stdout } = await world.run(way, ["apply", "-f", folder, "--yes"]);
    expect([status, stdout]).toEqual([2, ""]);
    const lines = stderr.replaceAll(`${folder}/`, "").split("\n").slice(1, -1);
    expect(lines.map((line) => line.trim())).toEqual([
      expect.stringMatching(/^bad\/a\.yaml:3:1: /),
      expect.stringMatching(/^bad\/b\.yaml:8:1: noun: /),
      expect.stringMatching(
        /^bad\/b\.yaml:9:1: qury: there is no field qury; did you mean query\?/,
      ),
      "bad/c.json:2:3: kind: there is no kind BusRuote; did you mean BusRoute?",
      "bad/d.yaml:2:1: the key kind occurs twice: first in line 1",
      "views.yml:2:1: name: SavedView offline is declared twice: first in bad/b.yaml",
    ]);
    expect(await stored(world)).toEqual([0, 0]);
    const json = await world.run(way, ["apply", "-f", folder, "--yes", "-o", "json"]);
    expect(JSON.parse(json.stderr).error).toMatchObject({
      code: "VALIDATION_FAILED",
      details: {
        problems: expect.arrayContaining([expect.objectContaining({ line: 2, column: 3 })]),
      },
    });
  });

  const bomb = `a: &a [x, x, x, x, x, x, x, x, x, x]\n${"bcdefgh"
    .split("")
    .map((name, at) => `${name}: &${name} [${Array(10).fill(`*${"abcdefgh"[at]}`).join(", ")}]\n`)
    .join("")}`;

  const many = Array.from({ length: 1001 }, (_, at) => `kind: SavedView\nname: v${at}\n`).join(
    "---\n",
  );

  const shared = perFile(() => openWorld());

  test.for<[string, Record<string, string | Uint8Array>, string | RegExp]>([
    ["an empty folder", {}, "contains no declarations: a folder needs"],
    ["an empty file", { "a.yaml": "# nothing\n---\n" }, "contains no declarations"],
    ["aliases that expand", { "a.yaml": bomb }, /a\.yaml:2:8: its aliases expand to too much data/],
    ["binary data", { "a.yaml": Uint8Array.of(0xff, 0xfe, 0) }, "a.yaml: is not text in UTF-8"],
    ["a huge file", { "a.json": `"${"x".repeat(5 << 20)}"` }, "a.json: is larger than 1 MiB"],
    [
      "a deep document",
      { "a.yaml": `kind: ${"[".repeat(60)}${"]".repeat(60)}` },
      "is nested too deeply",
    ],
    [
      "a list",
      { "a.yaml": `- ${route.replaceAll("\n", "\n  ")}\n` },
      "a.yaml:1:1: must be an object",
    ],
    ["more declarations than an apply can have", { "a.yaml": many }, "there are 1001 declarations"],
    ["tags", { "a.yaml": "kind: !!js/function x\n" }, "are not supported"],
    [
      "wrong types",
      { "a.yaml": "kind: SavedView\nname: 5\nnoun: [agents]\n" },
      /a\.yaml:2:1: name: .*\n.*a\.yaml:3:1: noun: /,
    ],
  ])("in hostile files: %s", async ([, files, says]) => {
    const folder = folderWith(files);
    const ran = await shared().run("--server", ["apply", "-f", folder, "--prune", "--yes"]);
    expect(ran).toMatchObject(failing(2, says));
  });

  test("links in circles are followed once, and a link to nothing is a mistake", async () => {
    const world = shared();
    const folder = folderWith(both);
    symlinkSync("..", join(folder, "routes/up"));
    symlinkSync("a.yaml", join(folder, "routes/same.yaml"));
    const ran = await world.run("--server", ["apply", "-f", folder, "--dry-run"]);
    expect(ran).toMatchObject({ status: 0, stderr: "Dry run: 2 to create.\n" });
    symlinkSync("nowhere", join(folder, "gone.yaml"));
    const gone = await world.run("--server", ["apply", "-f", folder, "--dry-run"]);
    expect(gone).toMatchObject(failing(2, "gone.yaml: cannot be read: it does not exist"));
    const missing = await world.run("--server", ["apply", "-f", join(folder, "none"), "--yes"]);
    expect(missing).toMatchObject(failing(2, "none: cannot be read: it does not exist"));
    expect(await world.run("--server", ["apply"])).toMatchObject(failing(2, "-f FILE"));
  });
});

const gets: Record<keyof typeof examples, string[]> = {
  BusRoute: ["routes", "get", "rotate"],
  SavedView: ["views", "get", "offline"],
  Schedule: ["schedules", "get", "nightly"],
  ApprovalPolicy: ["policies", "get", "production"],
  Settings: ["settings", "get"],
};

test("what get prints in YAML can be applied, and changes nothing", async ({ world }) => {
  const documents = Object.values(examples).map((one) => stringify(one));
  const all = folderWith({ "all.yaml": documents.join("---\n") });
  expect(await world.run("--server", ["apply", "-f", all, "--yes"])).toMatchObject({ status: 0 });
  const files: Record<string, string> = {};
  for (const [kind, words] of Object.entries(gets)) {
    const { stdout } = await world.run("--server", [...words, "-o", "yaml"]);
    expect(stdout.startsWith(`kind: ${kind}\n`)).toBe(true);
    files[`${kind}.yaml`] = stdout;
  }
  const again = await world.run("--server", ["apply", "-f", folderWith(files), "--prune", "--yes"]);
  expect(again).toEqual({ status: 0, stdout: "", stderr: "5 unchanged.\n" });
});
