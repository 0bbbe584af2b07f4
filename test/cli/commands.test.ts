// Tests the table of commands, each part of which can be found without loading the others.

import { expect, test } from "vitest";
import { nouns } from "../../src/api/contract/nouns.ts";
import type { CommandSpec } from "../../src/cli/command.ts";
import { firstWordOf } from "../../src/cli/command.ts";
import { allCommands, commandsThatBeginWith } from "../../src/cli/commands/index.ts";
import { silenceSeconds } from "../../src/domain/fleet/attention.ts";
import { parseDurationSeconds } from "../../src/lib/duration.ts";

/** Leaves out functions, because each evaluation defines new ones. */
const plain = (specs: readonly CommandSpec[]) => JSON.parse(JSON.stringify(specs));

const all = await allCommands();
const words = [...new Set(all.map(firstWordOf))];

test("the commands that begin with a word are those of the whole table", async () => {
  for (const word of words) {
    const found = await commandsThatBeginWith(word);
    expect(plain(found), word).toEqual(plain(all.filter((spec) => firstWordOf(spec) === word)));
  }
});

test("every noun has commands", () => {
  for (const { group } of Object.values(nouns)) expect(words).toContain(group);
});

test("a silence can last as long as the server allows", () => {
  const silence = all.find(({ name }) => name === "attention silence");
  const length = silence?.options?.find(({ flags }) => flags.startsWith("--for"));
  expect(length?.choices?.map(parseDurationSeconds)).toEqual(silenceSeconds);
});

test("no command begins with a word that is not in the table", async () => {
  for (const word of ["agentz", "", "constructor"]) {
    expect(await commandsThatBeginWith(word), word).toEqual([]);
  }
});
