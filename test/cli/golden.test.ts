// What every command that calls the API prints, to the letter, beside what it printed when somebody last
// looked: one file for both ways. Where a change is meant:
//
//     npm run golden
//
// writes the files anew; the difference that git shows is then what users will see.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { routes } from "../../src/api/index.ts";
import type { Case } from "./cases/case.ts";
import { cases } from "./cases/index.ts";
import { normalised } from "./golden.ts";
import { openWorld, type World, ways } from "./world.ts";

// On the file it is the user of the operating system who acts: called as the API key of the other way.
vi.mock("node:os", async (importOriginal) => ({
  ...(await importOriginal<typeof import("node:os")>()),
  userInfo: () => ({ username: "test" }),
}));

const folder = join(import.meta.dirname, "golden");
const forms = [
  { form: "json", ending: "json" },
  { form: "table", ending: "txt" },
] as const;

const table = Object.entries(cases).flatMap(([name, one]) =>
  ways.map((way) => ({ name, way, one, stem: stemOf(name, one.ownWays ? way : "") })),
);

test.each(table)("$name $way prints what it did", async ({ name, way, one, stem }) => {
  // What only reads prints the same again in the same world.
  const reads = routes[one.route].method === "GET" && !one.changes;
  let asked: Asked | null = null;
  for (const { form, ending } of forms) {
    if (!asked || !reads) asked = await ask(name, one);
    const { world, words } = asked;
    const { status, stdout } = await world.run(way, [...words, "-o", form], {
      stdin: one.stdin ?? "",
    });
    expect(status).toBe(0);
    const file = join(folder, `${stem}.${ending}`);
    await expect(normalised(stdout, one.varies)).toMatchFileSnapshot(file);
  }
});

interface Asked {
  world: World;
  words: string[];
}

/** A world of its own, and the words of the case in it. */
async function ask(name: string, one: Case): Promise<Asked> {
  const world = await openWorld({ fixedTime: true });
  return { world, words: [...name.split(" "), ...((await one.words?.(world)) ?? [])] };
}

function stemOf(name: string, way: string): string {
  return `${name.replaceAll(" ", "-")}${way}`;
}

test("there is no file of a command that is gone", () => {
  const wanted = new Set(
    table.flatMap(({ stem }) => forms.map(({ ending }) => `${stem}.${ending}`)),
  );
  expect(readdirSync(folder).filter((file) => !wanted.has(file))).toEqual([]);
});
