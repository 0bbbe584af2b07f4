// YAML, for people. The library takes as long to load as a short command takes, so it is loaded for the
// commands that may print any: before they run, because printing itself does not wait.

let yaml: typeof import("yaml") | null = null;

export async function loadYaml(): Promise<void> {
  yaml ??= await import("yaml");
}

/** `loadYaml` must have ended before. */
export function toYaml(value: unknown): string {
  if (!yaml)
    throw new Error("toYaml before loadYaml: is the command's `output` wrong in the table?");
  return yaml.stringify(value);
}
