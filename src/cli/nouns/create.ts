// `<noun> create`, for routes whose body is a flat object.

import type { Noun } from "../../api/contract/noun.ts";
import type { RouteName } from "../../api/index.ts";
import type { CommandFunction } from "../command.ts";
import { isForPeople, printOne } from "../output/output.ts";
import { bodyOf } from "./fields.ts";
import type { Row } from "./rows.ts";
import { type LoadPrint, show } from "./run.ts";
import { viewOf } from "./view.ts";
import { wordsOf } from "./words.ts";

/**
 * A secret that is shown only once comes first, with a reminder for people. `-o name` prints only
 * the secret.
 */
export function createRow(noun: Noun, print?: LoadPrint): CommandFunction {
  const { create = { fields: [] } } = noun;
  const { shownOnce, reminder } = create;
  return async (invocation) => {
    const { io, options, client } = invocation;
    const body = await bodyOf(io, create, options);
    const name = `${noun.noun}.create` as RouteName as "users.create";
    const created = (await (await client()).call(name, { body: body as never })) as unknown as Row;
    if (shownOnce === undefined) return show(noun, invocation, created, print);
    const secretOf = (row: Row) => String(row[shownOnce]);
    const secret = { name: wordsOf(shownOnce), value: secretOf, kind: "key", once: true } as const;
    printOne(io, options, created, {
      columns: [secret, ...viewOf(noun).columns],
      nameOf: secretOf,
    });
    if (isForPeople(options)) {
      const more = reminder === undefined ? "" : ` ${reminder}`;
      io.note(`\nKeep the ${wordsOf(shownOnce)} now: it is shown only once.${more}\n`);
    }
  };
}
