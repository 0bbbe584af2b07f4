// The demo's second program: an in-memory page cache with shards, which runs the agent library
// itself.

import type { Agent, AgentEvent } from "../../../agent/index.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { untilSignal } from "../../../lib/until-signal.ts";
import type { Invocation } from "../../command.ts";

const shardCount = 6;
/** The shards on which the rollout fails. */
export const fullShards = [2, 5];

export async function runPageCache({ io, options }: Invocation): Promise<void> {
  const { server, dir } = options as { server: string; dir: string };
  const { ActionError, createAgent } = await import("../../../agent/index.ts");
  const paths = ["news", "shop"].flatMap((section) =>
    Array.from({ length: 6 }, (_, index) => `/${section}/${index + 1}`),
  );
  const renderedAt = isoTime(io.now());
  const pages = new Map(paths.map((path) => [path, { html: `<h1>${path}</h1>`, renderedAt }]));
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
    })
    .action({
      name: "pages",
      label: "List pages",
      description: "Lists the cached pages, and offers to remove each of them",
      timeoutSeconds: 10,
      execute: () => ({ list: listOf(pages) }),
    })
    .action({
      name: "remove-page",
      label: "Remove a page",
      hidden: true,
      timeoutSeconds: 10,
      inputSchema: {
        type: "object",
        required: ["path"],
        properties: { path: { type: "string", title: "Path", placeholder: "/news/1" } },
      },
      execute: ({ path }) => ({ removed: pages.delete(String(path)), left: pages.size }),
    });
  addShards(agent, () => {
    throw new ActionError("DISK_FULL", "The index needs 2 GiB, but the disk is full.");
  });
  const ended = untilSignal(() => agent.stop());
  await agent.start();
  await ended;
}

function addShards(agent: Agent, failRebuild: () => never): void {
  for (let number = 1; number <= shardCount; number++) {
    agent
      .service({
        code: `shard-${number}`,
        name: `Cache shard ${number}`,
        version: "2.1.0",
        labels: { tier: "cache" },
        health: "UP",
      })
      .action({
        name: "rebuild",
        label: "Rebuild the index",
        timeoutSeconds: 10,
        execute: () => (fullShards.includes(number) ? failRebuild() : { pages: 1000 }),
      });
  }
}

interface Page {
  html: string;
  renderedAt: string;
}

/** Operators see a structured result as a table. */
function listOf(pages: Map<string, Page>) {
  return {
    title: "Cached pages",
    columns: [
      { key: "path", label: "Path", type: "code" },
      { key: "bytes", label: "Size", type: "bytes" },
      { key: "renderedAt", label: "Rendered", type: "relativeTime" },
    ],
    rows: [...pages].map(([path, { html, renderedAt }]) => ({
      path,
      renderedAt,
      bytes: Buffer.byteLength(html),
    })),
    rowActions: [{ action: "remove-page", label: "Remove", payload: { path: "$row.path" } }],
    pageActions: [{ action: "clear", label: "Remove pages", payload: { prefix: "/" } }],
  };
}

function countBySection(pages: Map<string, Page>): Record<string, number> {
  const sections = Object.groupBy(pages.keys(), (path) => path.replace(/[^/]*$/, ""));
  return Object.fromEntries(
    Object.entries(sections).map(([section, paths]) => [section, paths?.length ?? 0]),
  );
}

function lineOf(event: AgentEvent): string {
  const code = "code" in event ? ` ${event.code}` : "";
  return `${event.at} ${event.type}${code}: ${event.message}`;
}
