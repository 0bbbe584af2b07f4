// A request for approval in any scene: a policy, the requester, and a user who may approve.

import type { Client } from "../../../src/client/client.ts";
import type { Role } from "../../../src/domain/access/principals.ts";
import type { TestApp } from "../../helpers/app.ts";

export const somePolicy = { name: "everything", approvers: { role: "operator" } } as const;

export interface Requested {
  approvalId: string;
  digest: string;
  policyId: string;
  requester: Client;
  approver: Client;
}

/** Creates a policy under which every action of every service needs approval, and asks for one. */
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

/** Creates a user, and returns the client of the user's session. */
export async function userIn(
  app: TestApp,
  username: string,
  role: Role = "operator",
): Promise<Client> {
  const body = { username, role, password: `${username} has a long password` };
  const { id: userId } = await app.as("owner").call("users.create", { body });
  return app.asPrincipal({ kind: "user", userId, username, role, sessionId: `ses_${username}` });
}
