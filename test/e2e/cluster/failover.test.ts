// A failover to a replica that lagged undoes changes that were confirmed. The nodes notice that, say so,
// and start nothing by themselves until an owner has accepted it.

import { describe, expect, test } from "vitest";
import { hasPostgres } from "../../helpers/postgres.ts";
import { registerAgent, send, until } from "../../helpers/process/process.ts";
import { startCluster } from "./cluster.ts";

describe.skipIf(!hasPostgres)("two nodes, after a failover to a replica that lagged", () => {
  test("say so, and hold rollouts until an owner has accepted the loss", async () => {
    const { nodes, postgres, key } = await startCluster({ nodes: 2 });
    const [one, other] = nodes.map(({ url }) => url) as [string, string];
    const call = (url: string, method: string, path: string, body?: object) =>
      send(url, method, path, { bearer: key, ...(body && { body }) });
    const api = async (method: string, path: string, body?: object) => {
      // While the database restarts, a call can fail.
      const answer = await until(`${method} ${path}`, async () => {
        const tried = await call(one, method, `/api/admin${path}`, body);
        return tried.status === 503 ? null : tried;
      });
      expect(answer.status).toBeLessThan(300);
      return answer.body.data;
    };
    const reported = async (url: string) => {
      const { status, database } = (await call(url, "GET", "/api/system/health")).body.data;
      return `${status} ${database.reason ?? ""}`;
    };
    const { token } = await api("POST", "/registration-tokens", {});
    const actions = [{ name: "restart", prepare: false }];
    const service = { code: "web", name: "web", version: "1", healthStatus: "UP", actions };
    const agent = await registerAgent(one, token, "edge", [service]);
    await postgres.keepCopy();
    for (let n = 0; n < 5; n++) await api("POST", "/registration-tokens", {});
    expect(await reported(one)).toBe("UP ");
    await postgres.returnToCopy();
    for (const url of [one, other]) {
      await until(
        "the loss is reported",
        async () => (await reported(url)) === "DEGRADED DATA_LOST",
      );
    }
    const { id } = await api("POST", "/rollouts", { action: "restart", selector: "" });
    const polled = async () => {
      await agent.call("POST", "/heartbeat", {});
      return (await agent.call("GET", "/commands?wait=2")).body.data.commands;
    };
    expect(await polled()).toEqual([]);
    expect((await api("GET", `/rollouts/${id}`)).targets).toMatchObject({ WAITING: 1 });
    await api("POST", "/maintenance/accept-data-loss");
    expect(await until("the command", async () => (await polled())[0])).toMatchObject({
      action: "restart",
    });
    for (const url of [one, other]) expect(await reported(url)).toBe("UP ");
  });
});
