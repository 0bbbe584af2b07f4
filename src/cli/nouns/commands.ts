// Builds a noun's commands from its description in api/contract/nouns.ts.

import type { Noun, NounFilter } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import { viewedLists } from "../../domain/saved-views.ts";
import type { CommandFunction, CommandSpec, OptionSpec } from "../command.ts";
import { argumentFor, before, pages, requestId, timeout, view, yes } from "../options.ts";
import { fieldOptions } from "./fields.ts";
import type { LoadPrint } from "./run.ts";
import { sortOptions, usualOrder } from "./sort.ts";

interface Special {
  /** Adds options to `list`, and wraps its function. */
  list?: Pick<CommandSpec, "options" | "examples"> & {
    run?: (listed: CommandSpec["run"]) => Promise<CommandFunction>;
  };
  /** Prints a row for which the columns are not enough. */
  print?: LoadPrint;
  /** A command with the name of an act replaces the act. */
  own?: CommandSpec[];
}

export function commandsOf(name: NounName, special: Special = {}): CommandSpec[] {
  const noun: Noun = nouns[name];
  const { group } = noun;
  const { own = [] } = special;
  const isOwn = (word: string) => own.some(({ name }) => name === `${group} ${word}`);
  const words = Object.keys(noun.acts).filter((word) => word in noun.summaries);
  const acts = words.map((word) => actOf(noun, word, special.print));
  const all = [
    listOf(noun, special.list),
    ...("get" in noun.summaries && !isOwn("get") ? [getOf(noun, special.print)] : []),
    ...(isOwn("create") || !noun.create ? [] : [createOf(noun, special.print)]),
    ...own,
    ...acts.filter(({ name }) => !isOwn(name.slice(group.length + 1))),
    ...(noun.wait ? [waitOf(noun, special.print)] : []),
  ];
  return all.map((spec) => {
    const examples = noun.examples?.[spec.name.slice(group.length + 1)];
    return examples && !spec.examples ? { ...spec, examples: [...examples] } : spec;
  });
}

function listOf(noun: Noun, special: Special["list"] = {}): CommandSpec {
  const run = async () => (await import("./run.ts")).listRows(noun);
  const { summaries, filters } = noun;
  const usual = usualOrder(noun);
  const hasViews = (viewedLists as readonly string[]).includes(noun.noun);
  return {
    name: `${noun.group} list`,
    // The route's summary gives the default order of the API.
    summary: (summaries.list ?? "").replace(/newest first$/, usual ? `sorted by ${usual}` : "$&"),
    options: [
      ...(hasViews ? [view] : []),
      ...filters.map(filterOption),
      ...(special.options ?? []),
      ...sortOptions(noun),
      ...pages,
      ...(noun.isLong ? [before] : []),
    ],
    output: "rows",
    csv: `${noun.noun as NounName}.list`,
    destination: true,
    ...(special.examples ? { examples: special.examples } : {}),
    run: () => special.run?.(run) ?? run(),
  };
}

function filterOption(filter: NounFilter): OptionSpec {
  const { flag, kind, choices, of, summary } = filter;
  switch (kind) {
    case "search":
      return { flags: `-q, --${flag} <text>`, summary };
    case "selector":
      return { flags: `-l, --${flag} <selector>`, summary };
    case "all":
      return { flags: `--${flag} <key:value>`, summary, kind: "repeat" };
    case "time":
      return {
        flags: `--${flag} <time>`,
        summary: `${summary}, such as 24h (ago), today or 2026-01-31`,
      };
    case "several":
      return { flags: `--${flag} <${flag}>`, summary, kind, completes: choices ?? [] };
    case "choice":
      return { flags: `--${flag} <${flag}>`, summary, completes: choices ?? [] };
    case "id":
      return { flags: `--${flag} <${flag}>`, summary, completes: of as NounName };
    case "text":
      return { flags: `--${flag} <text>`, summary };
  }
}

function getOf(noun: Noun, print?: LoadPrint): CommandSpec {
  return {
    ...ofOne(noun, "get"),
    onlyPrints: true,
    run: async () => (await import("./run.ts")).getRow(noun, print),
  };
}

function createOf(noun: Noun, print?: LoadPrint): CommandSpec {
  const { create = { fields: [] } } = noun;
  return {
    name: `${noun.group} create`,
    summary: noun.summaries.create ?? "",
    options: [...fieldOptions(create), ...(create.idempotent ? [requestId] : [])],
    output: true,
    destination: true,
    run: async () => (await import("./create.ts")).createRow(noun, print),
  };
}

function actOf(noun: Noun, word: string, print?: LoadPrint): CommandSpec {
  const { asks, completes } = noun.acts[word] ?? {};
  const argument = argumentFor(noun.noun as NounName);
  const selector = noun.filters.find(({ kind }) => kind === "selector");
  const several = `${argument.name.slice(1, -1)}...`;
  return {
    ...ofOne(noun, word),
    args: [
      {
        ...argument,
        name: selector ? `[${several}]` : `<${several}>`,
        ...(completes ? { completes } : {}),
      },
    ],
    options: [...(selector ? [filterOption(selector)] : []), ...(asks || selector ? [yes] : [])],
    run: async () => (await import("./acts.ts")).act(noun, word, print),
  };
}

function waitOf(noun: Noun, print?: LoadPrint): CommandSpec {
  const { statuses = [], default: wanted = "" } = noun.wait ?? {};
  const others = `${statuses.slice(0, -1).join(", ")} or ${statuses.at(-1)}`;
  return {
    ...ofOne(noun, "wait"),
    summary: `Wait until ${article(noun.one)} ${noun.one} exists and is ${wanted}, or has the status in --for`,
    options: [
      { flags: "--for <status>", summary: others, default: wanted, completes: statuses },
      timeout,
    ],
    onlyPrints: true,
    run: async () => (await import("./wait.ts")).waitForRow(noun, print),
  };
}

function ofOne(noun: Noun, word: string) {
  return {
    name: `${noun.group} ${word}`,
    summary: noun.summaries[word] ?? "",
    args: [argumentFor(noun.noun as NounName)],
    output: true,
    destination: true,
  } satisfies Partial<CommandSpec>;
}

function article(word: string): string {
  return /^[aeiou]/i.test(word) ? "an" : "a";
}
