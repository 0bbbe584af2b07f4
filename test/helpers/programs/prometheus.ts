// Parses the Prometheus text format, version 0.0.4, as strictly as its specification allows.

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Family {
  name: string;
  type: string;
  help: string;
  samples: Sample[];
}

const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const number = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;

/** Returns the metric families by name. Throws at the first invalid line. */
export function parsePrometheus(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end with a newline");
  const families = new Map<string, Family>();
  let family: Family | null = null;
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment) {
      const [, kind, name = "", rest = ""] = comment;
      if (kind === "HELP") family = begin(families, name, rest);
      else if (family?.name !== name || family.type !== "") throw wrong(line);
      else family.type = rest;
      continue;
    }
    const sample = parseSample(line);
    if (!family?.type || !belongs(sample, family)) throw wrong(line);
    family.samples.push(sample);
  }
  for (const each of families.values()) checkFamily(each);
  return families;
}

/** Returns the value of the only sample with these labels, or undefined if there is none. */
export function sampleOf(
  families: Map<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = [...families.values()]
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) =>
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
  if (found.length > 1) throw new Error(`${name} matches more than one sample`);
  return found[0]?.value;
}

function begin(families: Map<string, Family>, name: string, help: string): Family {
  if (!namePattern.test(name) || families.has(name)) throw new Error(`family ${name}`);
  const family = { name, type: "", help, samples: [] };
  families.set(name, family);
  return family;
}

function parseSample(line: string): Sample {
  const parts = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line);
  const [, name = "", inner, value = ""] = parts ?? [];
  if (!namePattern.test(name) || !number.test(value)) throw wrong(line);
  const labels: Record<string, string> = {};
  let rest = inner ?? "";
  while (rest !== "") {
    const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?=.)|$)/.exec(rest);
    const [whole = "", key = "", raw = ""] = label ?? [];
    if (!label || key in labels) throw wrong(line);
    labels[key] = raw.replace(/\\(.)/g, (_, escaped) => (escaped === "n" ? "\n" : escaped));
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}

function belongs({ name }: Sample, family: Family): boolean {
  const suffixes: Record<string, string[]> = {
    counter: [""],
    gauge: [""],
    histogram: ["_bucket", "_sum", "_count"],
    summary: ["", "_sum", "_count"],
  };
  return (suffixes[family.type] ?? []).some((suffix) => name === family.name + suffix);
}

function checkFamily({ name, type, samples }: Family): void {
  const keys = samples.map((sample) => JSON.stringify([sample.name, sorted(sample.labels)]));
  if (new Set(keys).size !== keys.length) throw new Error(`${name} has a series twice`);
  if ((type === "counter") !== name.endsWith("_total")) throw new Error(`${name} is a ${type}`);
  const negative = samples.some(({ value }) => !(value >= 0));
  if (type !== "gauge" && negative) throw new Error(`${name} is below 0`);
  if (type === "histogram") for (const series of seriesOf(samples)) checkHistogram(name, series);
}

/** Groups samples that differ only in `le`. */
function seriesOf(samples: Sample[]): Sample[][] {
  const keyOf = ({ labels: { le: _le, ...others } }: Sample) => JSON.stringify(sorted(others));
  return Object.values(Object.groupBy(samples, keyOf)) as Sample[][];
}

function checkHistogram(name: string, series: Sample[]): void {
  const buckets = series.filter((sample) => sample.name === `${name}_bucket`);
  const bounds = buckets.map(({ labels }) => Number(labels.le?.replace("Inf", "Infinity")));
  const rises = (values: number[]) => values.every((v, i) => i === 0 || v >= (values[i - 1] ?? 0));
  const count = series.find((sample) => sample.name === `${name}_count`);
  const inOrder =
    bounds.at(-1) === Number.POSITIVE_INFINITY &&
    new Set(bounds).size === bounds.length &&
    rises(bounds) &&
    rises(buckets.map(({ value }) => value)) &&
    series.length === buckets.length + 2 &&
    count?.value === buckets.at(-1)?.value;
  if (!inOrder) throw new Error(`the buckets of ${name} are not in order`);
}

function sorted(labels: Record<string, string>): [string, string][] {
  return Object.entries(labels).sort(([a], [b]) => a.localeCompare(b));
}

function wrong(line: string): Error {
  return new Error(`not valid in the Prometheus text format: ${line}`);
}
