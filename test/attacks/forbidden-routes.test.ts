// docs/guides/audit.md describes the rows that are allowed before this limit applies.

import { expect, test } from "vitest";
import { routes } from "../../src/api/index.ts";
import { maxAuditSumsInFull } from "../../src/domain/limits.ts";
import { send } from "../helpers/process/process.ts";
import { size } from "../helpers/size.ts";
import { startVictim } from "./victim.ts";

const attackMs = size(0, 3000);

test("a viewer's key that calls forbidden routes as fast as possible causes at most one audit row a second", async () => {
  const server = await startVictim();
  const viewer = await server.apiKey("viewer");
  const owner = await server.apiKey("owner");
  const forbidden = Object.values(routes).filter(
    ({ access, path }) => (access === "operator" || access === "owner") && !path.includes("stream"),
  );
  expect(forbidden.length).toBeGreaterThan(maxAuditSumsInFull);
  const rowsNow = async () => {
    const answer = await send(server.url, "GET", "/api/admin/audit-events?pageSize=1", {
      bearer: owner,
    });
    return answer.body.pagination.total as number;
  };

  const before = await rowsNow();
  const began = performance.now();
  let refused = 0;
  while (performance.now() - began < attackMs || refused <= 10 * maxAuditSumsInFull) {
    const answers = await Promise.all(
      forbidden.map(({ method, path }) =>
        send(server.url, method, path.replaceAll(/:\w+/g, "x"), { bearer: viewer }),
      ),
    );
    refused += answers.filter(({ status }) => status === 403).length;
  }
  const seconds = (performance.now() - began) / 1000;
  const rows = (await rowsNow()) - before;
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThanOrEqual(maxAuditSumsInFull + seconds);
});
