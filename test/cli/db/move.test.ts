// `platform db move` and `platform db reactivate`: what they print, and how they fail. No output
// contains the password in a URL.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { movedPlaces } from "../../../src/cli/commands/db/places.ts";
import { whatNext } from "../../../src/cli/commands/db/what-next.ts";
import type { MoveReport } from "../../../src/domain/storage/moves.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { emptyCluster, rowsIn, writeKey } from "../../helpers/postgres-cluster.ts";
import { withoutChildren } from "../../helpers/process/without-children.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { copyOf, furnishedFile } from "../../store/move/furnished.ts";
import { cli, failing } from "../world.ts";

sqliteOnly("each test uses both engines");

withoutChildren();

const run = (words: string[], options: Parameters<typeof cli>[1] = {}) =>
  cli(words, { ...options, io: { program: "platform", ...options.io } });

const secret = { SESSION_SECRET: "a secret that is a setting and in no file" };

test("servers on PostgreSQL keep the secret of sessions if it is a setting", () => {
  const env = { ...secret, AUDIT_KEY_FILE: "/k/audit.key" };
  const places = movedPlaces({ env }, "/data/platform.db", "postgres://ada@h/fleet");
  const advice = whatNext({ from: "/data/platform.db" } as MoveReport, places);
  expect(advice).toContain("  PLATFORM_SESSION_SECRET, as before\n");
  expect(advice).toContain("copy of this key file.");
});

test.each([
  ["/my data/platform.db", "platform serve --data-dir '/my data'\n"],
  ["/my data/fleet.db", "  PLATFORM_DATABASE_URL='/my data/fleet.db'\n"],
])("the advice for %s can be pasted into a shell", (file, wanted) => {
  const places = movedPlaces({ env: {} }, "/data/platform.db", file);
  expect(whatNext({ from: "/data/platform.db" } as MoveReport, places)).toContain(wanted);
});

describe("usage", () => {
  test.each([
    [["--from", "a.db"], "give --from and --to."],
    [["--to", "a.db"], "give --from and --to."],
    [["--from", "a.db", "--to", "./a.db"], "--from and --to name the same database."],
    [["--from", "a.db", "--to", "postgres://h"], "--to names no database."],
    [
      ["--from", "postgres://u:secret@h/d", "--to", "a.db"],
      "PostgreSQL needs PLATFORM_AUDIT_KEY_FILE and PLATFORM_SESSION_SECRET_FILE",
    ],
  ])("%j", async (words, message) => {
    const ran = await run(["db", "move", ...words]);
    expect(ran).toMatchObject(failing(2, message));
    expect(ran.stderr).not.toContain("secret");
  });

  test("a missing source is not created", async () => {
    const folder = temporaryFolder();
    const from = join(folder, "data", "platform.db");
    const ran = await run(["db", "move", "--from", from, "--to", join(folder, "b.db")]);
    expect(ran).toMatchObject(
      failing(6, `Cannot open the database ${from}: there is no such file`),
    );
    expect(existsSync(join(folder, "data"))).toBe(false);
  });
});

describe.skipIf(!hasPostgres)("with PostgreSQL", () => {
  const furnished = perFile(furnishedFile);

  async function prepare() {
    const { file, folder } = copyOf(furnished());
    const { url, password } = await emptyCluster();
    const { username, host, pathname } = new URL(url);
    const DATA_DIR = temporaryFolder();
    return {
      ...{ file, folder, url },
      name: `postgres://${username}@${host}${pathname}`,
      settings: {
        ...{ AUDIT_KEY_FILE: join(folder, "audit.key"), DATA_DIR },
        SESSION_SECRET_FILE: join(folder, "session.key"),
      },
      async run(words: string[], options: Parameters<typeof cli>[1] = {}) {
        const ran = await run(words, { ...options, env: { DATA_DIR, ...options.env } });
        expect(JSON.stringify(ran)).not.toContain(password);
        return ran;
      },
    };
  }

  test("a move there and back says how to continue; no command uses a moved database until `db reactivate`, which asks and is recorded", async () => {
    const { file, folder, url, name, settings, run } = await prepare();
    const early = await run(["db", "reactivate", "--db", file, "--yes"]);
    expect(early).toMatchObject(failing(5, `the data of ${file} was not moved; nothing was done.`));
    const lines: string[] = [];
    const there = await run(["db", "move", "--from", file, "--to", url], {
      io: { interactive: true, showLine: (text) => void lines.push(text) },
    });
    expect(there.status).toBe(0);
    expect(there.stdout).toMatch(/^moved +\d+ rows of 37 tables$/m);
    expect(there.stdout).toMatch(/^audit +\d+ rows verified; row \d+ records the move$/m);
    expect(there.stdout).not.toContain("replaced texts");
    expect(lines[0]).toContain("opening the databases");
    expect(there.stderr).not.toContain("sign in again");
    for (const line of [
      `PLATFORM_DATABASE_URL=${name}`,
      `PLATFORM_AUDIT_KEY_FILE=${settings.AUDIT_KEY_FILE}`,
      `PLATFORM_SESSION_SECRET_FILE=${settings.SESSION_SECRET_FILE}`,
      `platform db reactivate --db ${file}`,
    ]) {
      expect(there.stderr).toContain(`  ${line}\n`);
    }

    const says = `Cannot open the database ${file}: its data was moved to ${name} on `;
    for (const words of [
      ["serve", "--data-dir", folder, "--port", "0"],
      ["agents", "list", "--db", file],
      ["backup", "copy.db", "--data-dir", folder],
    ]) {
      const ran = await run(words);
      expect([words[0], ran.status, ran.stdout]).toEqual([words[0], 6, ""]);
      expect(ran.stderr).toContain(says);
    }
    const doctor = await run(["doctor", "--data-dir", folder, "-o", "json"]);
    expect(doctor.status).toBe(1);
    const findings: { check: string }[] = JSON.parse(doctor.stdout);
    expect(findings.find(({ check }) => check === "database")).toMatchObject({
      state: "FAILURE",
      found: expect.stringContaining(`its data was moved to ${name}`),
      advice: expect.stringContaining(`platform db reactivate --db ${file}`),
    });

    const target = join(temporaryFolder(), "platform.db");
    const words = ["db", "move", "--from", url, "--to", target];
    const back = await run([...words, "-o", "json"], { env: settings });
    expect(back).toMatchObject({ status: 0, stderr: "" });
    const report = JSON.parse(back.stdout);
    expect(report).toMatchObject({ from: name, to: target, auditProblem: null });
    expect(report.tables.commands).toBeGreaterThan(0);

    rmSync(target);
    const again = await run([...words, "-o", "json"], { env: settings });
    expect(again).toMatchObject({ status: 5, stdout: "" });
    expect(JSON.parse(again.stderr).error).toMatchObject({
      code: "DATABASE_MOVED",
      message: expect.stringContaining(
        `Cannot move ${name}: its data was moved to ${target} on 20`,
      ),
    });
    const server = await run(["serve", "--port", "0"], { env: { ...settings, DATABASE_URL: url } });
    expect(server).toMatchObject(
      failing(6, `Cannot open the database ${name}: its data was moved`),
    );
    await run(["db", "reactivate", "--db", url, "--yes"], { env: settings });
    const after = await run(words, { env: settings });
    expect(after.stderr).toContain(
      `Now start one server: platform serve --data-dir ${join(target, "..")}\n`,
    );
    expect(after.stderr).toContain("It uses the copies of both keys in");

    const asked = await run(["db", "reactivate", "--db", file]);
    expect(asked).toMatchObject(
      failing(5, `It does not contain what was written to ${name} since then`),
    );
    const done = await run(["db", "reactivate", "--db", file, "--yes"]);
    expect(done).toMatchObject(failing(0, `Make sure that none opens ${name}.`));
    const trail = await run(["audit", "list", "--db", file, "-o", "json", "--limit", "1"]);
    expect(JSON.parse(trail.stdout)).toMatchObject([
      {
        action: "database.reactivated",
        targetType: "database",
        actorType: "LOCAL",
        metadata: { to: name },
      },
    ]);
    const verified = await run(["audit", "verify", "--db", file]);
    expect(verified.stdout).toMatch(/^verdict +SOUND$/m);
  });

  test("another key of sessions is named, because it ends them; their secret can be a setting", async () => {
    const { file, folder, url, settings, run } = await prepare();
    const other = writeKey(temporaryFolder(), "session.key");
    const there = await run(["db", "move", "--from", file, "--to", url], {
      env: { SESSION_SECRET_FILE: other },
    });
    expect(there.stderr).toContain(
      `Everyone must sign in again, because ${other} is not the key ${join(folder, "session.key")}.\n`,
    );
    const target = temporaryFolder();
    const back = await run(["db", "move", "--from", url, "--to", join(target, "other.db")], {
      env: { ...secret, AUDIT_KEY_FILE: settings.AUDIT_KEY_FILE },
    });
    expect(back.stderr).toContain(`  PLATFORM_DATABASE_URL=${join(target, "other.db")}\n`);
    expect(back.stderr).toContain("and PLATFORM_SESSION_SECRET as before.");
    expect(existsSync(join(target, "session.key"))).toBe(false);
    expect(back.stderr).not.toContain(secret.SESSION_SECRET);
  });

  test("what prevents a move has its own exit status and code", async () => {
    const { file, url, run } = await prepare();
    await rowsIn(url, "CREATE TABLE agents (x int)");
    const words = ["db", "move", "--from", file, "--to", url, "-o", "json"];
    const ran = await run(words);
    expect(ran).toMatchObject({ status: 5, stdout: "" });
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: "TARGET_NOT_EMPTY",
      message: expect.stringContaining("it has tables of another program"),
    });
  });
});
