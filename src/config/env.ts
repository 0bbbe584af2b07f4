// The only place that reads process.env. What the values mean is decided in config.ts.

/** The environment variables of this service, by their names without `PLATFORM_`. */
export function readEnv(
  environment: Record<string, string | undefined> = process.env,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith("PLATFORM_") && value !== undefined && value !== "") {
      values[name.slice("PLATFORM_".length)] = value;
    }
  }
  return values;
}
