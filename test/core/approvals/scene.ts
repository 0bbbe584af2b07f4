// A service with a dangerous action, users who ask and approve, and their credentials.

import type { BodyInput, ReplyData } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import type { Client } from "../../../src/client/client.ts";
import type { Role } from "../../../src/domain/access/principals.ts";
import type { TestAgent, TestApp } from "../../helpers/app.ts";
import { openTestApp, type ServiceInput } from "../../helpers/app.ts";
import { withKey } from "../access/people.ts";

export type Detail = ReplyData<Routes["approvals.get"]>;
export type PolicyBody = BodyInput<Routes["approval-policies.create"]>;

export interface Person {
  id: string;
  username: string;
  client: Client;
  /** The same user in another session. */
  elsewhere: Client;
  /** A new API key of the user, with this role. */
  key(role?: "operator" | "owner"): Promise<Client>;
}

export const purge = { name: "purge", prepare: false, dangerLevel: "HIGH" } as const;
export const tidy = { name: "tidy", prepare: false } as const;

export const storage: ServiceInput = {
  ...{ code: "storage", name: "Storage", version: "1", healthStatus: "UP" },
  labels: { env: "prod" },
  actions: [purge, tidy],
};

export type Approvals = Awaited<ReturnType<typeof openApprovals>>;

/** Without `policy`, nothing needs approval. */
export async function openApprovals(policy?: Partial<PolicyBody> | null) {
  const app = openTestApp({ CAPSULE_BUS_ENABLED: "true" });
  const agent = await app.registerAgent("edge-1", [storage]);
  const owner = app.as("owner");
  const person = personIn(app);
  const people = {
    ann: await person("ann", "operator"),
    ben: await person("ben", "operator"),
    cleo: await person("cleo", "operator"),
    olga: await person("olga", "owner"),
  };
  const [service] = await owner.call("services.list");
  const serviceId = service!.id;
  const addPolicy = (body: Partial<PolicyBody> = {}) =>
    owner.call("approval-policies.create", {
      body: { name: "dangerous", dangerLevel: "HIGH", approvers: { role: "operator" }, ...body },
    });
  if (policy !== null) await addPolicy(policy);
  const detail = (approvalId: string) => owner.call("approvals.get", { params: { approvalId } });
  return {
    ...app,
    ...people,
    agent,
    owner,
    person,
    serviceId,
    addPolicy,
    detail,
    /** Asks to run `purge`, and returns the request's id. */
    async ask(by: Client = people.ann.client, body: object = {}, action = "purge") {
      const { command, approval } = await run(by, serviceId, body, action);
      if (!approval) throw new Error(`nothing had to be approved: ${command?.id}`);
      return approval.id;
    },
    run: (by: Client, body: object = {}, action = "purge") => run(by, serviceId, body, action),
    /** Approves the current content of the request. */
    async approve(approvalId: string, by: Client, comment?: string): Promise<Detail> {
      const { digest } = await detail(approvalId);
      const body = { digest, ...(comment ? { comment } : {}) };
      return by.call("approvals.approve", { params: { approvalId }, body });
    },
    reject: (approvalId: string, by: Client, reason = "not now") =>
      by.call("approvals.reject", { params: { approvalId }, body: { reason } }),
    change: (userId: string, body: object) =>
      owner.call("users.update", { params: { userId }, body }),
    report: (services: ServiceInput[], { client }: TestAgent = agent) =>
      client.call("agent.report", { body: { services: services as never } }),
    async commands() {
      return owner.call("commands.list", { query: { serviceId } });
    },
    async trail(targetId: string) {
      const events = await owner.call("audit-events.list", { query: { targetId, pageSize: 200 } });
      return events.reverse();
    },
  };
}

async function run(by: Client, serviceId: string, body: object, action: string) {
  return by.call("actions.execute", {
    params: { serviceId, actionName: action },
    body: { confirmation: true, ...body },
  });
}

function personIn(app: TestApp) {
  let sessions = 0;
  return async (username: string, role: Role): Promise<Person> => {
    const body = { username, role, password: `${username} has a long password` };
    const { id } = await app.as("owner").call("users.create", { body });
    const session = () => {
      sessions++;
      const sessionId = `ses_${sessions}`;
      return app.asPrincipal({ kind: "user", userId: id, username, role, sessionId });
    };
    const client = session();
    return {
      ...{ id, username, client },
      elsewhere: session(),
      async key(keyRole = "operator") {
        const name = `${username}'s key ${sessions++}`;
        const made = await session().call("api-keys.create", { body: { name, role: keyRole } });
        return withKey(app, made.key);
      },
    };
  };
}
