// A request for approval in any scene: a policy, a user who asks, and one who may approve.

import type { Client } from "../../../src/client/client.ts";
import type { TestApp } from "../../helpers/app.ts";

export const somePolicy = { name: "everything", approvers: { role: "operator" } } as const;

export interface Requested {
  approvalId: string;
  digest: string;
  policyId: string;
  requester: Client;
  approver: Client;
}

/** With the policy, every action of every service needs approval. */
export async function requested(
  scene: TestApp & { serviceId: string },
  action = "rotate",
): Promise<Requested> {
  const owner = scene.as("owner");
  const policy = await owner.call("approval-policies.create", { body: somePolicy });
  const [requester, approver] = [await userIn(scene, "asking"), await userIn(scene, "approving")];
  const { approvalId, digest } = await askIn(scene, requester, action);
  return { approvalId, digest, policyId: policy.id, requester, approver };
}

export async function askIn(
  { serviceId }: { serviceId: string },
  requester: Client,
  action = "rotate",
): Promise<{ approvalId: string; digest: string }> {
  const params = { serviceId, actionName: action };
  const { approval } = await requester.call("actions.execute", { params, body: {} });
  const approvalId = approval?.id ?? "";
  const { digest } = await requester.call("approvals.get", { params: { approvalId } });
  return { approvalId, digest };
}

export async function userIn(app: TestApp, username: string): Promise<Client> {
  const body = { username, role: "operator", password: `${username} has a long password` } as const;
  const { id: userId } = await app.as("owner").call("users.create", { body });
  const sessionId = `ses_${username}`;
  return app.asPrincipal({ kind: "user", userId, username, role: "operator", sessionId });
}
