/** Returns the value of a Prometheus metric without labels. */
export async function readMetric(port: number, key: string, name: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/admin/metrics/prometheus`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  const value = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
  if (value === undefined) throw new Error(`No ${name} in a response of ${response.status}.`);
  return Number(value);
}
