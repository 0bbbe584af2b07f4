// Writes gauges in version 0.0.4 of the Prometheus text format.

/** Returns a family. `lines` are its samples. */
export function gaugeText(name: string, help: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines].join("\n");
}

/** Returns a label's value, to be put in quotation marks. */
export function labelText(value: string): string {
  if (!/["\\\n]/.test(value)) return value;
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
