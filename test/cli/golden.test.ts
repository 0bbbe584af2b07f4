// Every command that calls the API and prints what it says. As JSON it prints the API's data and nothing else,
// over both ways. What a person sees is made of that data, wherever it came from: over one way it is compared
// with a file in golden/, to the letter. Where a change is meant,
//
//     npm run golden
//
// writes the files again; the difference that git shows is what users will see. A command without a case
// fails the first test.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { busLabel, type RouteSpec } from "../../src/api/contract/route.ts";
import { routes } from "../../src/api/index.ts";
import { commandTable } from "../../src/cli/commands/index.ts";
import { checkAnswer } from "../helpers/contract.ts";
import type { Case } from "./cases/case.ts";
import { cases, downloads, forPeople } from "./cases/index.ts";
import { normalised } from "./golden.ts";
import { openWorld, type Way, ways } from "./world.ts";

const folder = join(import.meta.dirname, "golden");

test("every command that calls the API and prints what it says has a case, and a file", () => {
  const asked = commandTable.filter((spec) => spec.target && spec.output);
  const names = asked.map((spec) => spec.name);
  expect([...Object.keys(cases), ...downloads, ...forPeople].sort()).toEqual(names.sort());
  const files = Object.keys(cases).map(fileOf);
  expect(readdirSync(folder).sort()).toEqual(files.sort());
});

const table = Object.entries(cases).flatMap(([name, one]) =>
  ways.map((way) => ({ name, way, ...one })),
);

test.each(table)("$name $way", async (one) => {
  const { world, run } = await open(one);
  const data = JSON.parse(await run(["-o", "json"]));
  if (!one.printsPart) checkAnswer(one.route, statusOf(one), envelopeOf(one, data));
  if (one.same) {
    const same = await one.same(world.as("owner"), data);
    expect(one.part ? data[one.part] : data).toEqual(same);
  }
  if (one.way === "--db") return;
  let shown = "";
  const forms = [[], ["-o", "wide"], ...(one.measured ? [] : [["-o", "name"]])];
  for (const flags of forms) {
    const command = ["> platformctl", one.name, ...flags].join(" ");
    shown += `${command}\n${normalised(await run(flags), one.varies)}`;
  }
  await expect(shown).toMatchFileSnapshot(join(folder, fileOf(one.name)));
});

/** A world in which the case is run again and again; each run must succeed, and on stderr a program must find nothing. */
async function open(one: Case & { name: string; way: Way }) {
  const world = await openWorld({ fixedTime: true });
  const run = async (flags: string[]) => {
    const words = [...one.name.split(" "), ...((await one.words?.(world)) ?? []), ...flags];
    const { status, stdout, stderr } = await world.run(one.way, words, { stdin: one.stdin ?? "" });
    // A command is named before it is waited for, in whichever form it is printed then.
    const said = stderr.replace(/^(\S+ on \S+: cmd_\w{26}|\{"command":.*\})\n/, "");
    expect([status, flags[1] === "json" || flags[1] === "name" ? said : ""]).toEqual([0, ""]);
    return stdout;
  };
  return { world, run };
}

function statusOf({ route }: Case): number {
  return (routes[route] as RouteSpec).status ?? 200;
}

/** What the API answers with such data. */
function envelopeOf({ route, said }: Case, data: Record<string, unknown>): unknown {
  const { paginated, bus }: RouteSpec = routes[route];
  return {
    success: true,
    data: said?.(data) ?? data,
    ...(paginated ? { pagination: { page: 1, pageSize: 20, total: 1 } } : {}),
    ...(bus ? { experimental: busLabel } : {}),
  };
}

function fileOf(name: string): string {
  return `${name.replaceAll(" ", "-")}.txt`;
}
