// What every command that calls the API prints, to the letter, beside what it printed when somebody last
// looked: one file for both ways. Where a change is meant:
//
//     npm run golden
//
// writes the files anew; the difference that git shows is then what users will see.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { cases } from "./cases/index.ts";
import { normalised } from "./golden.ts";
import { openWorld, ways } from "./world.ts";

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

const table = Object.entries(cases).flatMap(([name, { ownWays }]) =>
  forms.flatMap(({ form, ending }) =>
    ways.map((way) => {
      const file = `${name.replaceAll(" ", "-")}${ownWays ? way : ""}.${ending}`;
      return { name, way, form, file };
    }),
  ),
);

test.each(table)("$name $way -o $form prints what it did", async ({ name, way, form, file }) => {
  const world = await openWorld({ fixedTime: true });
  const one = cases[name];
  const words = [...name.split(" "), ...((await one?.words?.(world)) ?? []), "-o", form];
  const { status, stdout } = await world.run(way, words, { stdin: one?.stdin ?? "" });
  expect(status).toBe(0);
  await expect(normalised(stdout, one?.varies)).toMatchFileSnapshot(join(folder, file));
});

test("there is no file of a command that is gone", () => {
  const wanted = new Set(table.map(({ file }) => file));
  expect(readdirSync(folder).filter((file) => !wanted.has(file))).toEqual([]);
});
