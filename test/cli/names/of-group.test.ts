import { expect, test } from "vitest";
import type { CommandSpec } from "../../../src/cli/command.ts";
import { commandTable } from "../../../src/cli/commands/index.ts";
import { commandsOfGroup, groupOf } from "../../../src/cli/commands/of-group.ts";

/** Each evaluation defines other functions. */
const plain = (specs: readonly CommandSpec[]) => JSON.parse(JSON.stringify(specs));

const groups = [...new Set(commandTable.map(groupOf))];
/** Nobody waits for these, or only once. */
const loadedWithAll = groups.filter((word) =>
  /^(demo|bench|install|uninstall|restore|migrate)|-/.test(word),
);

test.each(groups)(
  "the commands that begin with %s are the same as in the whole table",
  async (word) => {
    const found = await commandsOfGroup(word);
    if (found === null) expect(loadedWithAll).toContain(word);
    else expect(plain(found)).toEqual(plain(commandTable.filter((spec) => groupOf(spec) === word)));
  },
);

test.each(["agentz", "help", "", "constructor"])("no group is named %j", async (word) => {
  expect(await commandsOfGroup(word)).toBe(null);
});
