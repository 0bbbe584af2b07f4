// What uPlot draws of commands over time, in the colours of the page's style.

import "./browser-language.ts";
import uPlot from "uplot";
import type { Reply } from "../../../client/call.ts";
import { duration, shortDay, shortTime } from "../../../format/time.ts";

export type CommandReport = Reply<"overview.commands">;
export type Bucket = CommandReport["buckets"][number];
export type Hours = 1 | 6 | 24 | 168;

export interface PlotKind {
  data: (report: CommandReport) => uPlot.AlignedData;
  /** uPlot draws into `element`. `onPoint` gets the index of the bucket under the pointer. */
  options: (
    element: HTMLElement,
    hours: Hours,
    onPoint: (index: number | null) => void,
  ) => uPlot.Options;
}

export const outcomePlot: PlotKind = {
  data: ({ buckets }) => [
    timesOf(buckets),
    // From the top of the stack down: later series cover the lower part.
    buckets.map(({ succeeded, failed, cancelled }) =>
      cancelled > 0 ? succeeded + failed + cancelled : null,
    ),
    buckets.map(({ succeeded, failed }) => (failed > 0 ? succeeded + failed : null)),
    buckets.map(({ succeeded }) => (succeeded > 0 ? succeeded : null)),
  ],
  options: (element, hours, onPoint) => {
    const colour = coloursOf(element);
    const bars = uPlot.paths.bars?.({ size: [0.85, 40], align: 1 });
    const bar = (name: string): uPlot.Series => ({
      fill: colour(name),
      width: 0,
      points: { show: false },
      ...(bars ? { paths: bars } : {}),
    });
    return {
      ...common(element, onPoint, 160),
      series: [{}, bar("--idle"), bar("--bad"), bar("--good")],
      axes: [
        timeAxis(colour, hours),
        { ...axis(colour), incrs: wholeSteps, values: (_, splits) => splits.map(String) },
      ],
    };
  },
};

export const durationPlot: PlotKind = {
  data: ({ buckets }) => [
    timesOf(buckets),
    buckets.map(({ p50Ms }) => p50Ms),
    buckets.map(({ p95Ms }) => p95Ms),
  ],
  options: (element, hours, onPoint) => {
    const colour = coloursOf(element);
    const line = (name: string, dash?: number[]): uPlot.Series => ({
      stroke: colour(name),
      width: 2,
      points: { show: true, size: 5, fill: colour(name) },
      ...(dash ? { dash } : {}),
    });
    return {
      ...common(element, onPoint, 130),
      series: [{}, line("--busy"), line("--unsure", [6, 4])],
      axes: [
        timeAxis(colour, hours),
        { ...axis(colour), values: (_, splits) => splits.map((split) => duration(split)) },
      ],
    };
  },
};

const wholeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];

type Colour = (name: string) => string;

/** Canvases do not support CSS variables: the element resolves them. */
function coloursOf(element: HTMLElement): Colour {
  return (name) => {
    element.style.color = `var(${name})`;
    const { color } = getComputedStyle(element);
    element.style.color = "";
    return color;
  };
}

function common(element: HTMLElement, onPoint: (index: number | null) => void, height: number) {
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    // Half of the last time label is outside.
    padding: [8, 20, 0, 0] satisfies uPlot.Padding,
    cursor: {
      y: false,
      drag: { setScale: false, x: false, y: false },
      points: { show: false },
      sync: { key: "commands-over-time" },
    },
    scales: {
      // To the end of the last bucket, which is drawn from its start.
      x: {
        time: true,
        range: ({ data }: uPlot, from: number, to: number) => [from, to + widthOf(data[0])],
      },
      y: { range: (_: uPlot, __: number, highest: number) => [0, Math.max(1, highest * 1.1)] },
    } satisfies uPlot.Scales,
    hooks: { setCursor: [({ cursor }: uPlot) => onPoint(cursor.idx ?? null)] },
  };
}

function axis(colour: Colour): uPlot.Axis {
  return {
    stroke: colour("--muted"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: colour("--border"), width: 1 },
    ticks: { show: false },
    gap: 6,
    size: 58,
  };
}

function timeAxis(colour: Colour, hours: Hours): uPlot.Axis {
  const text = hours > 24 ? shortDay : shortTime;
  return {
    ...axis(colour),
    grid: { show: false },
    size: 30,
    space: 60,
    values: (_, splits) => splits.map((split) => text(split * 1000)),
  };
}

function timesOf(buckets: readonly Bucket[]): number[] {
  return buckets.map(({ at }) => Date.parse(at) / 1000);
}

/** Of a bucket, in seconds. There are no gaps between buckets. */
function widthOf([first = 0, second = first]: ArrayLike<number> & Iterable<number>): number {
  return second - first;
}
