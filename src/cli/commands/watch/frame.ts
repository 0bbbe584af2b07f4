// Lays out a live view. Text from agents and users cannot control the terminal.

import { styleText } from "node:util";
import type { StreamType } from "../../../domain/stream.ts";
import { type Column, painted, textOf } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { relativeTime } from "../../output/relative-time.ts";
import { layOut } from "../../output/table.ts";
import { cutTo, padTo, widthOf } from "../../output/text-width.ts";
import { paintState } from "../../terminal/colours.ts";
import { type Section, sectionsOf } from "./sections.ts";
import type { Counts } from "./snapshot.ts";
import type { WatchState } from "./state.ts";

interface FrameOptions {
  columns: number;
  rows: number;
  types: readonly StreamType[];
  /** The URL or file that the data is from. */
  target: string;
  colour: boolean;
  /** Unix milliseconds. */
  now: number;
  /** A line that names the keys. */
  hint?: string;
}

type Style = (text: string) => string;

/** Returns at most `rows` lines, none wider than `columns`. */
export function frameOf(state: WatchState, options: FrameOptions): string[] {
  const { columns, rows, hint } = options;
  const head = [titleOf(state, options), ...countsOf(state, options), ""];
  const foot =
    hint && rows > head.length + 6 ? ["", styled(options, "dim")(cutTo(hint, columns))] : [];
  const room = rows - head.length - foot.length;
  const body = bodyOf(sectionsOf(state, options.types), room, (section, count) =>
    tableOf(section, count, options),
  );
  const blank = Array.from({ length: Math.max(0, room - body.length) }, () => "");
  return [...head, ...body, ...(foot.length > 0 ? [...blank, ...foot] : [])].slice(0, rows);
}

function titleOf({ connection }: WatchState, options: FrameOptions): string {
  const { columns } = options;
  const target = printableLine(options.target);
  const bold = styled(options, "bold");
  if (!connection) return bold(cutTo(target, columns));
  const isLive = connection.kind === "live";
  const text = isLive ? "live" : `not live: reconnecting (${printableLine(connection.reason)})`;
  const shown = cutTo(text, columns);
  const room = columns - widthOf(shown) - 2;
  const left = room > 0 ? padTo(cutTo(target, room), room + 2) : "";
  return bold(left) + styled(options, isLive ? "green" : "yellow")(shown);
}

function countsOf({ counts }: WatchState, options: FrameOptions): string[] {
  const { agents, services, commands } = counts;
  const has = (type: StreamType) => options.types.includes(type);
  return [
    ...(has("agent") ? [countLine("agents", agents, "none", options)] : []),
    ...(has("service") ? [countLine("services", services, "none", options)] : []),
    ...(has("command") ? [countLine("commands", commands, "none open", options)] : []),
  ];
}

function countLine(name: string, counts: Counts, none: string, options: FrameOptions): string {
  let line = padTo(name, 10);
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  if (found.length === 0) return cutTo(line + none, options.columns);
  let width = widthOf(line);
  for (const [status, count] of found) {
    const text = `${count} ${status}`;
    if (width + widthOf(text) > options.columns) break;
    width += widthOf(text) + 2;
    line += `${count} ${options.colour ? paintState(status) : status}  `;
  }
  return line.trimEnd();
}

function bodyOf(
  sections: Section[],
  room: number,
  linesOf: (section: Section, count: number) => string[],
): string[] {
  const counts = shareOut(sections, room);
  const blocks = sections.flatMap((section, at) => {
    const count = counts[at] ?? 0;
    return count > 0 ? [linesOf(section, count)] : [];
  });
  return blocks.flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
}

/** Distributes the lines by weight. A section also needs a header line and an empty line. */
function shareOut(sections: Section[], room: number): number[] {
  const counts = sections.map(() => 0);
  const wanted = sections.map(({ rows }) => Math.max(1, rows.length));
  let left = room + 1;
  for (let isFirst = true; ; isFirst = false) {
    const before = left;
    sections.forEach(({ weight }, at) => {
      for (let turn = 0; turn < (isFirst ? 1 : weight); turn++) {
        const cost = counts[at] === 0 ? 3 : 1;
        if (left < cost || (counts[at] === 0 && !isFirst)) return;
        if ((counts[at] ?? 0) >= (wanted[at] ?? 0)) return;
        counts[at] = (counts[at] ?? 0) + 1;
        left -= cost;
      }
    });
    if (left === before) return counts;
  }
}

function tableOf(section: Section, count: number, options: FrameOptions): string[] {
  const { columns, now, colour } = options;
  const rows = section.rows
    .slice(0, count)
    .map((row) =>
      section.columns.map((column) =>
        textOf(column, row as never, (iso) => relativeTime(iso, now)),
      ),
    );
  // Other columns are cut before the names, unless the names fill most of the width.
  const namesWidth = Math.max(...rows.map(([name = ""]) => widthOf(name)));
  const grid = {
    columns: section.columns.map(({ name, kind }, at) => ({
      head: name.toUpperCase(),
      firm: kind !== undefined || (at === 0 && namesWidth <= columns / 2),
    })),
    rows,
    headed: true,
    oneLine: true,
    paint: (text: string, at: number) =>
      painted({ colour }, section.columns[at] as Column<never>, text),
  };
  const [first = "", ...rest] = layOut(grid, columns, true).text.trimEnd().split("\n");
  const none = section.rows.length === 0 ? [cutTo(section.whenEmpty, columns)] : [];
  return [styled(options, "bold")(first), ...rest.slice(0, count), ...none];
}

function styled({ colour }: FrameOptions, style: "bold" | "dim" | "green" | "yellow"): Style {
  return (text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}
