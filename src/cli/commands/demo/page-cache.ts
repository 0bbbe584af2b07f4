// The demo's second service: an in-memory page cache that runs the agent library itself.

import type { AgentEvent } from "../../../agent/index.ts";
import { untilSignal } from "../../../lib/until-signal.ts";
import type { Invocation } from "../../command.ts";

export async function runPageCache({ io, options }: Invocation): Promise<void> {
  const { server, dir } = options as { server: string; dir: string };
  const { createAgent } = await import("../../../agent/index.ts");
  const paths = ["news", "shop"].flatMap((section) =>
    Array.from({ length: 6 }, (_, index) => `/${section}/${index + 1}`),
  );
  const pages = new Map(paths.map((path) => [path, `<h1>${path}</h1>`]));
  const agent = createAgent({
    server,
    agent: { code: "edge-2", name: "Edge host 2", mode: "embedded", labels: { site: "demo" } },
    registrationToken: io.env.REGISTRATION_TOKEN,
    stateDir: dir,
    onEvent: (event) => io.out(`${lineOf(event)}\n`),
  });
  agent
    .service({
      code: "page-cache",
      name: "Page cache",
      version: "2.1.0",
      description: "Keeps the most recently requested pages",
      health: () => ({ status: "UP", message: `${pages.size} pages` }),
      configs: [{ key: "max-pages", type: "number", source: "built in", valuePreview: 1000 }],
    })
    .action({
      name: "clear",
      label: "Remove pages",
      description: "The pages are rendered again when they are next requested",
      dangerLevel: "MEDIUM",
      timeoutSeconds: 10,
      inputSchema: {
        type: "object",
        properties: { prefix: { type: "string", title: "Beginning of the path", default: "/" } },
      },
      prepare: () => ({ currentState: countBySection(pages) }),
      execute: ({ prefix }) => {
        const removed = [...pages.keys()].filter((path) => path.startsWith(String(prefix ?? "/")));
        for (const path of removed) pages.delete(path);
        return { removed: removed.length, left: pages.size };
      },
    });
  const ended = untilSignal(() => agent.stop());
  await agent.start();
  await ended;
}

function countBySection(pages: Map<string, string>): Record<string, number> {
  const sections = Object.groupBy(pages.keys(), (path) => path.replace(/[^/]*$/, ""));
  return Object.fromEntries(
    Object.entries(sections).map(([section, paths]) => [section, paths?.length ?? 0]),
  );
}

function lineOf(event: AgentEvent): string {
  const code = "code" in event ? ` ${event.code}` : "";
  return `${event.at} ${event.type}${code}: ${event.message}`;
}
