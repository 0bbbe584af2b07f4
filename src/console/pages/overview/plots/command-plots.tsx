// The plots of commands over time, with a shared cursor. Only this file loads uPlot.

import { Fragment, useEffect, useEffectEvent, useRef } from "react";
import "./browser-language.ts";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useIsDark } from "../../../shell/theme-choice.tsx";
import { texts } from "../../../texts/index.ts";
import {
  type CommandReport,
  dataOf,
  durationPlot,
  failurePlot,
  type Hours,
  otherOutcomesPlot,
  type PlotKind,
  plotOptionsOf,
} from "./command-plot-options.ts";

const words = texts.overview.commands;

interface PlotProps {
  kind: PlotKind;
  report: CommandReport;
  hours: Hours;
  label: string;
  onPoint: (index: number | null) => void;
}

interface CommandPlotsProps extends Omit<PlotProps, "kind" | "label"> {
  /** The text alternative of a plot. */
  label: (what: string) => string;
}

const plots: readonly [title: string, kind: PlotKind][] = [
  [words.failures, failurePlot],
  [words.otherOutcomes, otherOutcomesPlot],
  [words.durations, durationPlot],
];

export function CommandPlots({ label, ...common }: CommandPlotsProps) {
  return plots.map(([title, kind]) => (
    <Fragment key={title}>
      <p className="plot-title muted small">{title}</p>
      <Plot {...common} kind={kind} label={label(title)} />
    </Fragment>
  ));
}

function Plot({ kind, report, hours, label, onPoint }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const isDark = useIsDark();
  const point = useEffectEvent(onPoint);
  const create = useEffectEvent((element: HTMLElement) => {
    const options = plotOptionsOf(kind, element, hours, (index) => point(index));
    return new uPlot(options, dataOf(kind, report), element);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours and axes are set at creation
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
  useEffect(() => plot.current?.setData(dataOf(kind, report)), [kind, report]);
  return <div className="plot" ref={place} role="img" aria-label={label} />;
}
