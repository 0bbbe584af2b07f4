// The uPlot options for the plots of commands over time.

import "./browser-language.ts";
import uPlot from "uplot";
import type { Reply } from "../../../client/call.ts";
import { duration, shortDay, shortTime } from "../../../format/time.ts";

export type CommandReport = Reply<"overview.commands">;
export type Bucket = CommandReport["buckets"][number];
export type Hours = 1 | 6 | 24 | 168;
type Colour = (name: string) => string;

export interface PlotKind {
  height: number;
  data: (buckets: readonly Bucket[]) => (number | null)[][];
  series: (colour: Colour) => uPlot.Series[];
  yAxis: uPlot.Axis;
}

const countAxis: uPlot.Axis = {
  // Small enough for a label above 0 even in the lowest plot.
  space: 20,
  incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000],
  values: (_, splits) => splits.map(String),
};

/** Has its own scale. Otherwise thousands of successful commands would hide the few that fail. */
export const failurePlot: PlotKind = {
  height: 90,
  data: (buckets) => [buckets.map(({ failed }) => (failed > 0 ? failed : null))],
  series: (colour) => [bars({ fill: hatched(colour("--bad")) })],
  yAxis: countAxis,
};

export const otherOutcomesPlot: PlotKind = {
  height: 130,
  // The highest series comes first, because later ones cover the lower part of earlier ones.
  data: (buckets) => [
    buckets.map(({ succeeded, cancelled }) => (cancelled > 0 ? succeeded + cancelled : null)),
    buckets.map(({ succeeded }) => (succeeded > 0 ? succeeded : null)),
  ],
  series: (colour) => [
    bars({ stroke: colour("--idle"), width: 1.5 }),
    bars({ fill: colour("--good") }),
  ],
  yAxis: countAxis,
};

export const durationPlot: PlotKind = {
  height: 130,
  data: (buckets) => [buckets.map(({ p50Ms }) => p50Ms), buckets.map(({ p95Ms }) => p95Ms)],
  series: (colour) => {
    const line = (stroke: string): uPlot.Series => ({
      stroke,
      width: 2,
      points: { show: true, size: 5, fill: stroke },
    });
    return [line(colour("--info")), { ...line(colour("--unsure")), dash: [6, 4] }];
  },
  yAxis: { values: (_, splits) => splits.map((split) => duration(split)) },
};

function bars(look: uPlot.Series): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.85, 40], align: 1 });
  return { width: 0, points: { show: false }, ...look, ...(paths ? { paths } : {}) };
}

/** Returns diagonal stripes, for people who do not see the colour. */
function hatched(colour: string): CanvasPattern | string {
  const tile = document.createElement("canvas");
  [tile.width, tile.height] = [8, 8];
  const context = tile.getContext("2d");
  if (!context) return colour;
  context.strokeStyle = colour;
  context.lineWidth = 3;
  // The outer lines continue the lines of the neighbouring tiles.
  for (const x of [-8, 0, 8]) {
    context.moveTo(x, 8);
    context.lineTo(x + 8, 0);
  }
  context.stroke();
  return context.createPattern(tile, "repeat") ?? colour;
}

export function dataOf({ data }: PlotKind, { buckets }: CommandReport): uPlot.AlignedData {
  return [buckets.map(({ at }) => Date.parse(at) / 1000), ...data(buckets)];
}

/** `onPoint` is called with the index of the bucket under the pointer. */
export function plotOptionsOf(
  { height, series, yAxis }: PlotKind,
  element: HTMLElement,
  hours: Hours,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const colour = coloursOf(element);
  const axis: uPlot.Axis = {
    stroke: colour("--muted"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: colour("--border"), width: 1 },
    ticks: { show: false },
    gap: 6,
    size: 58,
  };
  const timeText = hours > 24 ? shortDay : shortTime;
  const timeAxis: uPlot.Axis = {
    ...axis,
    grid: { show: false },
    size: 30,
    space: 60,
    values: (_, splits) => splits.map((split) => timeText(split * 1000)),
  };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    // Half of the last time label extends beyond the plot.
    padding: [8, 20, 0, 0],
    cursor: {
      y: false,
      drag: { setScale: false, x: false, y: false },
      points: { show: false },
      sync: { key: "commands-over-time" },
    },
    scales: {
      // The axis reaches the end of the last bucket, because a bucket is drawn from its start.
      x: { time: true, range: ({ data }, from, to) => [from, to + widthOf(data[0])] },
      y: { range: (_, __, highest) => [0, Math.max(1, highest * 1.1)] },
    },
    series: [{}, ...series(colour)],
    axes: [timeAxis, { ...axis, ...yAxis }],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

/** Resolves CSS variables on the element, because canvases do not support them. */
function coloursOf(element: HTMLElement): Colour {
  return (name) => {
    element.style.color = `var(${name})`;
    const { color } = getComputedStyle(element);
    element.style.color = "";
    return color;
  };
}

/** Returns the length of a bucket in seconds. There are no gaps between buckets. */
function widthOf([first = 0, second = first]: ArrayLike<number> & Iterable<number>): number {
  return second - first;
}
