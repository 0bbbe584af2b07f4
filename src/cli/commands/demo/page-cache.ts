// The demo's second service, which needs no agent beside it: it keeps pages in memory, and has the agent
// library in its own process. What it tells and what its action does is its own state, at first hand.

import type { AgentEvent } from "../../../agent/index.ts";
import type { Invocation } from "../../command.ts";

interface Options {
  server: string;
  dir: string;
}

/** `platform demo-cache`: runs until a signal; what its agent does are lines on standard output. */
export async function runPageCache({ io, options }: Invocation): Promise<void> {
  const { server, dir } = options as unknown as Options;
  const { createAgent } = await import("../../../agent/index.ts");
  const pages = somePages();
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
      description: "Keeps the pages that were asked for last",
      health: () => ({ status: "UP", message: `${pages.size} pages` }),
      configs: [{ key: "max-pages", type: "number", source: "built in", valuePreview: 1000 }],
    })
    .action({
      name: "clear",
      label: "Forget pages",
      description: "They are rendered anew when somebody asks for them",
      dangerLevel: "MEDIUM",
      timeoutSeconds: 10,
      inputSchema: {
        type: "object",
        properties: { prefix: { type: "string", title: "Beginning of the path", default: "/" } },
      },
      prepare: () => ({ currentState: countBySection(pages) }),
      execute: ({ prefix }) => {
        const gone = [...pages.keys()].filter((path) => path.startsWith(String(prefix ?? "/")));
        for (const path of gone) pages.delete(path);
        return { removed: gone.length, left: pages.size };
      },
    });
  const stop = () => void agent.stop();
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  await agent.start();
}

function somePages(): Map<string, string> {
  const paths = ["news", "shop"].flatMap((section) =>
    Array.from({ length: 6 }, (_, index) => `/${section}/${index + 1}`),
  );
  return new Map(paths.map((path) => [path, `<h1>${path}</h1>`]));
}

function countBySection(pages: Map<string, string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const path of pages.keys()) {
    const section = path.slice(0, path.indexOf("/", 1) + 1);
    counts[section] = (counts[section] ?? 0) + 1;
  }
  return counts;
}

function lineOf(event: AgentEvent): string {
  const code = "code" in event ? ` ${event.code}` : "";
  return `${event.at} ${event.type}${code}: ${event.message}`;
}
