// The plots of commands over time: how they ended as stacked bars, how long they took as lines. Drawn by
// uPlot on canvases, which is loaded with this file alone; one pointer moves over both.

import { useEffect, useEffectEvent, useRef } from "react";
import "./browser-language.ts";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useIsDark } from "../../../shell/theme-choice.tsx";
import { texts } from "../../../texts/index.ts";
import { durationPlot, outcomePlot, type PlotKind } from "./command-plot-options.ts";
import type { CommandReport, Hours } from "./command-report.ts";

const words = texts.overview.commands;

interface CommandPlotsProps {
  report: CommandReport;
  hours: Hours;
  /** What a reader is told of a plot. */
  label: (what: string) => string;
  /** The bucket under the pointer, by its index. */
  onPoint: (index: number | null) => void;
}

export function CommandPlots({ report, hours, label, onPoint }: CommandPlotsProps) {
  const common = { report, hours, onPoint };
  return (
    <>
      <p className="plot-title">{words.outcomes}</p>
      <Plot {...common} kind={outcomePlot} label={label(words.outcomes)} />
      <p className="plot-title">{words.durations}</p>
      <Plot {...common} kind={durationPlot} label={label(words.durations)} />
    </>
  );
}

interface PlotProps extends Omit<CommandPlotsProps, "label"> {
  kind: PlotKind;
  label: string;
}

function Plot({ kind, report, hours, label, onPoint }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const isDark = useIsDark();
  const point = useEffectEvent(onPoint);
  const create = useEffectEvent((element: HTMLElement) => {
    const options = kind.options(element, hours, (index) => point(index));
    return new uPlot(options, kind.data(report), element);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours and axes are set when it is made
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = create(element);
    plot.current = made;
    const observer = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height: made.height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [isDark, hours]);
  useEffect(() => plot.current?.setData(kind.data(report)), [kind, report]);
  return <div className="plot" ref={place} role="img" aria-label={label} />;
}
