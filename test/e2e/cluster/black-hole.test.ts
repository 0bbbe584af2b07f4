// A node whose packets to PostgreSQL disappear: the connections stay open, and nothing is answered.

import { describe, expect, test } from "vitest";
import { hasPostgres } from "../../helpers/postgres.ts";
import { logLines, send } from "../../helpers/process/process.ts";
import { startCluster } from "./cluster.ts";

const unreachable = "The database server cannot be reached.";

describe.skipIf(!hasPostgres)("a node that cannot reach its database", () => {
  test("says that it is not ready before its first read has failed, and why, and stops without it", async () => {
    const cluster = await startCluster({ nodes: 1 });
    const [node, proxy] = [cluster.nodes[0]!, cluster.proxies[0]!];
    proxy.holdAll();
    const reading = send(node.url, "GET", "/api/admin/overview", { bearer: cluster.key });
    let hasFailed = false;
    void reading.then(() => {
      hasFailed = true;
    });
    const ready = await send(node.url, "GET", "/api/system/ready");
    expect([ready.status, hasFailed]).toEqual([503, false]);
    const read = await reading;
    expect(read).toMatchObject({ status: 503, body: { error: { code: "UNAVAILABLE" } } });
    expect(read.body.error.message).toContain(unreachable);
    expect(read.headers.get("retry-after")).toBe("1");

    const { status, stderr } = await node.stop();
    expect(status).toBe(0);
    const messages = logLines(stderr).map(({ msg }) => msg);
    expect(messages).toContainEqual(expect.stringMatching(/^the database does not respond/));
    expect(messages.at(-1)).toBe("stopped");
  });
});
