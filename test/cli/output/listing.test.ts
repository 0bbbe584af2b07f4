// Tests long lists, and `--all` on lists that change in the meantime.

import { describe, expect, test } from "vitest";
import { allRows, type PageQuery } from "../../../src/cli/output/listing.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { generateLists } from "../../store/generated-lists.ts";
import { openWorld } from "../world.ts";

/**
 * A list of the rows `count` to 1, to which `added` rows are added before each page but the first.
 */
function growing(count: number, added: number) {
  const rows = Array.from({ length: count }, (_, at) => ({ id: String(count - at) }));
  const asked: number[] = [];
  const fetch = async ({ page, pageSize }: { page: number; pageSize: number }) => {
    asked.push(page);
    for (let more = 0; page > 1 && more < added; more++) {
      rows.unshift({ id: String(rows.length + 1) });
    }
    const data = rows.slice((page - 1) * pageSize, page * pageSize);
    return { data, pagination: { page, pageSize, total: rows.length } };
  };
  return { fetch, asked };
}

test.each([
  { count: 0, added: 0, pages: [1] },
  { count: 200, added: 0, pages: [1] },
  { count: 201, added: 0, pages: [1, 2] },
  { count: 500, added: 3, pages: [1, 2, 3] },
  { count: 300, added: 150, pages: [1, 2, 3, 4] },
])(
  "of $count rows, each is read once, although $added rows are added before each page",
  async ({ count, added, pages }) => {
    const { fetch, asked } = growing(count, added);
    const ids = (await allRows(fetch)).map(({ id }) => id);
    expect(asked).toEqual(pages);
    expect(ids).toEqual(Array.from({ length: count }, (_, at) => String(count - at)));
  },
);

test("a row that is deleted between two pages does not hide another", async () => {
  const rows = Array.from({ length: 300 }, (_, at) => ({ id: String(at) }));
  const all = [...rows];
  const found = await allRows(async ({ page, pageSize }) => {
    const data = rows.slice((page - 1) * pageSize, page * pageSize);
    const pagination = { page, pageSize, total: rows.length };
    if (rows.length === 300) rows.shift();
    return { data, pagination };
  });
  expect(found).toEqual(all);
});

test("the next request starts where the previous response says, even if that has no rows", async () => {
  const pages: Record<string, { ids: string[]; next?: string }> = {
    first: { ids: ["9", "8"], next: "b" },
    b: { ids: [], next: "c" },
    c: { ids: ["7"] },
  };
  const asked: unknown[] = [];
  const fetch = async (query: PageQuery) => {
    asked.push(query);
    const { ids, next } = pages[query.before ?? "first"]!;
    const pagination = { page: 1, pageSize: query.pageSize, total: ids.length, next };
    return { data: ids.map((id) => ({ id })), pagination };
  };
  expect(await allRows(fetch)).toEqual([{ id: "9" }, { id: "8" }, { id: "7" }]);
  expect(asked).toMatchObject([{ page: 1 }, { before: "b" }, { before: "c" }]);
});

describe("lists with more than 10,000 rows", () => {
  const large = perFile(async () => {
    const world = await openWorld();
    await generateLists(world, { auditEvents: 10_500, commands: 10_100, busEvents: 10 });
    return world;
  });
  const list = (words: string[]) => large().run("--server", [...words, "--columns", "status,took"]);

  const all = ["commands", "list", "--type", "ACTION_PREPARE,ACTION_EXECUTE"];

  test("say that there are more, and how to continue", async () => {
    const ran = await list([...all, "--limit", "1"]);
    const stderr = "\n1 to 1 of more than 10000; continue with --page 2, or --all\n";
    expect(ran).toMatchObject({ status: 0, stderr });
  });

  test("--before continues after the last page", async () => {
    const ran = await list([...all, "--limit", "200", "--page", "50"]);
    const place = /continue with --before (\d+\.cmd_\d+), or --all\n$/.exec(ran.stderr)?.[1];
    expect(place).toMatch(/cmd_0+101$/);
    const rest = await list([...all, "--limit", "200", "--before", place!]);
    expect(rest).toMatchObject({ status: 0, stderr: "" });
    expect(rest.stdout.trimEnd().split("\n")).toHaveLength(1 + 100);
  });

  test("--all reads every page and prints each row once, also after --before", async () => {
    const world = await openWorld();
    await generateLists(world, { auditEvents: 1, commands: 250, busEvents: 1 });
    for (const format of ["name", "json"]) {
      const run = async (more: string[]) => {
        const words = [...all, "--all", "--limit", "1", ...more, "--no-headers", "-o", format];
        const { stdout, stderr } = await world.run("--server", words);
        expect(stderr).toBe("");
        return format === "json" ? JSON.parse(stdout) : stdout.trimEnd().split("\n");
      };
      const whole = await run([]);
      expect(new Set(whole).size).toBe(250);
      const first = await world.as("owner").page("commands.list", {
        query: { type: ["ACTION_PREPARE", "ACTION_EXECUTE"], pageSize: 10 },
      });
      expect(await run(["--before", first.pagination.next ?? ""])).toEqual(whole.slice(10));
    }
  });

  test("a search that stops early reports how far it got", async () => {
    const words = ["audit", "list", "--action", "command.*", "--target-type", "service"];
    const { status, stdout, stderr } = await large().run("--server", words);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toMatch(
      /^No match so far\. The search stopped at \S+: narrow .* --before \S+\n$/,
    );
  });
});
