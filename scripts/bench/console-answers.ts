// Measures how long the server takes for the complete, uncompressed responses of the overview, a search in a
// list and the search of the palette.

import { performance } from "node:perf_hooks";
import type { Figure } from "./console.ts";

const paths: [path: string, targetMs: number][] = [
  ["/api/admin/overview", 50],
  ["/api/admin/overview/health-map", 50],
  ["/api/admin/overview/commands?hours=24", 50],
  ["/api/admin/agents?q=edge-09", 50],
  ["/api/admin/search?q=edge-09", 50],
];

export async function measureAnswers(
  url: string,
  cookie: string,
  rounds: number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [path, target] of paths) {
    const values: number[] = [];
    let size = 0;
    // The first round is a warm-up.
    for (let round = -1; round < rounds; round++) {
      const started = performance.now();
      const answer = await fetch(url + path, { headers: { cookie } });
      if (!answer.ok) throw new Error(`GET ${path} returned status ${answer.status}.`);
      size = (await answer.arrayBuffer()).byteLength;
      if (round >= 0) values.push(performance.now() - started);
    }
    const work = `${path.replace("/api/admin", "GET ")}, ${Math.ceil(size / 1024)} KiB`;
    figures.push({ work, unit: "ms", target, values });
  }
  return figures;
}
