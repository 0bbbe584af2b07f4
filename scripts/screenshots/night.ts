// Schedules, approval policies, requests for approval and saved views for the screenshots.

import type { Client } from "../../src/client/client.ts";

export async function findNightIds(operator: Client) {
  const schedules = await operator.call("schedules.list", {});
  const approvals = await operator.call("approvals.list", {
    query: { state: "AWAITING_APPROVAL" },
  });
  const [policy] = await operator.call("approval-policies.list", { query: { sort: "order" } });
  const named = (name: string) => schedules.find((each) => each.name === name)?.id ?? "";
  const rollout = approvals.find(({ kind }) => kind === "rollout");
  return {
    scheduleId: named("Reindex at night"),
    waitingScheduleId: named("Restart the shop on Sundays"),
    approvalId: rollout?.id ?? "",
    waitingRolloutId: rollout?.subjectId ?? "",
    policyId: policy?.id ?? "",
  };
}

/** `asOperator` makes the requests that `operator`, an owner, can approve. */
export async function addNight(operator: Client, asOperator: Client): Promise<void> {
  await operator.call("schedules.create", {
    body: {
      name: "Reindex at night",
      description: "New books can be found in the morning.",
      cron: "0 3 * * *",
      timezone: "Europe/Berlin",
      target: {
        kind: "action",
        service: "search-index",
        action: "reindex",
        payload: { mode: "changed", languages: ["de", "en"] },
      },
      missed: "once",
    },
  });
  const [nightly] = await operator.call("schedules.list", {});
  await operator.call("schedules.run", { params: { scheduleId: nightly?.id ?? "" }, body: {} });
  await operator.call("schedules.create", {
    body: {
      name: "Clear the cache of the warehouse",
      everySeconds: 21_600,
      target: { kind: "action", service: "shop-web-1", action: "clear-cache" },
      state: "PAUSED",
    },
  });
  await operator.call("approval-policies.create", {
    body: {
      name: "Restarts in Berlin",
      description: "Restarts interrupt orders, so two people must agree.",
      selector: "site=berlin",
      action: "restart",
      order: 10,
      approvers: { role: "operator" },
    },
  });
  await operator.call("approval-policies.create", {
    body: {
      name: "Dangerous actions",
      dangerLevel: "HIGH",
      approvals: 2,
      approvers: { role: "owner" },
    },
  });
  await asOperator.call("schedules.create", {
    body: {
      name: "Restart the shop on Sundays",
      cron: "0 3 * * sun",
      timezone: "Europe/Berlin",
      target: {
        kind: "rollout",
        action: "restart",
        selector: "team=shop",
        confirmation: true,
        payload: { graceSeconds: 30 },
        waves: ["1", "25%"],
        between: 300,
        healthGate: true,
        reason: "releases memory",
      },
    },
  });
  await asOperator.call("rollouts.create", {
    body: {
      name: "Restart after the update",
      action: "restart",
      selector: "team=shop",
      waves: ["1", "25%"],
      confirmation: true,
      payload: { graceSeconds: 30 },
      reason: "kernel update of 25 November",
    },
  });
  const services = await operator.call("services.list", { query: { q: "shop-web-1" } });
  const params = { serviceId: services[0]?.id ?? "", actionName: "restart" };
  const body = { payload: { graceSeconds: 0 }, confirmation: true };
  await asOperator.call("actions.execute", { params, query: { queue: true }, body });
  await operator.call("actions.execute", {
    params,
    query: { queue: true },
    body: { ...body, breakGlass: "the checkout hangs, and customers are waiting" },
  });
  for (const [name, query] of [
    ["Needs attention", { status: "UNHEALTHY" }],
    ["Shop", { selector: "team=shop", sort: "code" }],
  ] as const) {
    await operator.call("saved-views.create", {
      body: { name, noun: "services", query, shared: name === "Shop" },
    });
  }
}
