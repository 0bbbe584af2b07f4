// Users who ask for approval and decide about it, and a policy that makes them do so.

import type { Client } from "../../../src/client/client.ts";
import { password } from "../access/signed-in.ts";
import type { World } from "../world.ts";

export interface Person {
  client: Client;
  username: string;
}

/** Creates a user, and returns the user's client. */
export async function person(
  world: World,
  username: string,
  role: "operator" | "owner" = "operator",
): Promise<Person> {
  const body = { username, password, role };
  const { id: userId } = await world.as("owner").call("users.create", { body });
  const sessionId = `ses_${userId.slice(4)}`;
  const client = world.asPrincipal({ kind: "user", userId, username, role, sessionId });
  return { client, username };
}

/** Creates a policy for actions with the danger level HIGH, such as `rotate-log`. */
export function guard(world: World, more: object = {}) {
  const body = { name: "careful", dangerLevel: "HIGH", approvers: { role: "operator" }, ...more };
  return world.as("owner").call("approval-policies.create", { body: body as never });
}

/** Asks for approval of `rotate-log`, and returns the request. */
export async function ask({ client }: Person) {
  const { data } = await client.page("services.list", { query: { q: "log-collector" } });
  const { approval } = await client.call("actions.execute", {
    params: { serviceId: data[0]?.id ?? "", actionName: "rotate-log" },
    body: { payload: { lines: 3 }, confirmation: true, reason: "The disk is full" },
  });
  if (!approval) throw new Error("no policy requires approval");
  return approval;
}

export async function approve({ client }: Person, approvalId: string, comment = "go ahead") {
  const params = { approvalId };
  const { digest } = await client.call("approvals.get", { params, query: { wait: 0 } });
  return client.call("approvals.approve", { params, body: { digest, comment } });
}
