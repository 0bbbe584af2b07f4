import { didYouMean, nearest } from "../../../lib/nearest.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { printWhole } from "../../output/listing.ts";
import { type ListView, printOne, type View } from "../../output/output.ts";
import { wrapTo } from "../../output/text-width.ts";
import { type ExplainedCode, explainedCodes } from "./explained-codes.ts";

const columns: View<ExplainedCode>["columns"] = [
  { name: "code", value: ({ code }) => code, kind: "key" },
  { name: "http", value: ({ httpStatus }) => httpStatus, kind: "key" },
  { name: "exit", value: ({ exitStatus }) => exitStatus, kind: "key" },
  { name: "meaning", value: ({ meaning }) => plain(meaning), kind: "prose" },
  { name: "causes", value: ({ causes }) => plain(causes.join(" ")), wide: true },
  { name: "remedy", value: ({ remedy }) => plain(remedy), wide: true },
];

const list: ListView<ExplainedCode> = {
  columns,
  nameOf: ({ code }) => code,
  whenEmpty: "There are no codes.",
};

export async function explainCode({ io, args, options }: Invocation): Promise<void> {
  const all = explainedCodes();
  const [given] = args;
  if (given === undefined) return printWhole({ io, options }, all, list);
  const found = all.find(({ code }) => code === given.toUpperCase());
  if (!found) throw unknownCode(given, all);
  const isShort = options.output !== "wide" && !options.columns;
  // A status has only a code: no HTTP status and no exit status.
  const shownColumns = columns.slice(0, found.kind === "status" ? 1 : 3);
  const shown = isShort ? { ...list, columns: shownColumns } : list;
  printOne(io, options, found, shown, () => (isShort ? [textOf(found, io.width)] : []));
}

/** Without a width, lines are not wrapped. */
function textOf({ meaning, causes, remedy }: ExplainedCode, width = Number.POSITIVE_INFINITY) {
  const indented = (first: string, text: string) => {
    const indent = " ".repeat(first.length);
    const lines = wrapTo(plain(text), width - first.length).replaceAll("\n", `\n${indent}`);
    return `${first}${lines}\n`;
  };
  return [
    `\n${indented("", meaning)}`,
    causes.length === 0 ? "" : "\nUsual causes\n",
    ...causes.map((cause) => indented("  - ", cause)),
    `\nWhat to do\n${indented("  ", remedy)}`,
  ].join("");
}

/** Removes the backquotes, which are for the page of the documentation. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

function unknownCode(given: string, all: readonly ExplainedCode[]): CliError {
  const names = all.map(({ code }) => code);
  const message =
    `there is no code ${given} of this program.${didYouMean(nearest(given, names))} ` +
    "Actions and the operating system have codes of their own.";
  return new CliError(exit.notFound, message, { code: "CODE_NOT_FOUND" });
}
