// The calls of the agent `edge-2` for a command that it runs.

import type { OutputChunk } from "../../../src/domain/output/output.ts";
import type { World } from "../world.ts";

/** Fetches the command that waits for the agent. */
export async function fetchCommand({ sleeping: { client } }: World) {
  const { commands } = await client.call("agent.poll", { query: { wait: 0 } });
  const params = { commandId: commands[0]?.id ?? "" };
  let offset = 0;
  return {
    id: params.commandId,
    /** Sends output. `lost` bytes before it are never sent. */
    async send(text: string, stream: OutputChunk["stream"] = "stdout", lost = 0) {
      offset += lost;
      const chunks = [{ offset, stream, text }];
      offset += Buffer.byteLength(text);
      await client.call("agent.output", { params, body: { chunks } });
    },
    end: (body: object) => client.call("agent.result", { params, body: body as never }),
  };
}
