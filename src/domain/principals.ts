// Who is calling, and what that caller may do.

export const roles = ["viewer", "operator", "owner"] as const;
export type Role = (typeof roles)[number];

/** What an API key may be for: a role, or the metrics and nothing else. */
export const keyRoles = [...roles, "metrics"] as const;
export type KeyRole = (typeof keyRoles)[number];

/** Who may call a route. `registration`: the call itself carries a single-use token. */
export type Access = "public" | "registration" | "agent" | Role;

export interface AgentPrincipal {
  kind: "agent";
  agentId: string;
  agentCode: string;
  tokenId: string;
}

export interface UserPrincipal {
  kind: "user";
  userId: string;
  username: string;
  role: Role;
  sessionId: string;
}

export interface ApiKeyPrincipal {
  kind: "apiKey";
  keyId: string;
  name: string;
  role: KeyRole;
}

/** The database file itself was opened: whoever may do that may do everything. */
export interface LocalPrincipal {
  kind: "local";
  osUser: string;
}

/** Nobody in particular; may still carry a registration token in the header. */
export interface AnonymousPrincipal {
  kind: "anonymous";
}

/** The service itself: jobs. */
export interface SystemPrincipal {
  kind: "system";
}

export type Principal =
  | AgentPrincipal
  | UserPrincipal
  | ApiKeyPrincipal
  | LocalPrincipal
  | AnonymousPrincipal
  | SystemPrincipal;

/** The role a principal acts with on the admin side; null when it has none. */
export function roleOf(principal: Principal): Role | null {
  if (isMetricsKey(principal)) return null;
  if (principal.kind === "user" || principal.kind === "apiKey") return principal.role as Role;
  return principal.kind === "local" ? "owner" : null;
}

export function isMetricsKey(principal: Principal): boolean {
  return principal.kind === "apiKey" && principal.role === "metrics";
}

/** Whether a key of this role may belong to a user of that one. */
export function mayHoldKey(role: Role, keyRole: KeyRole): boolean {
  // Metrics are an owner's to read.
  return mayActAs(role, keyRole === "metrics" ? "owner" : keyRole);
}

export function mayActAs(role: Role | null, needed: Role): boolean {
  return role !== null && roles.indexOf(role) >= roles.indexOf(needed);
}

/** The id of the agent, user or API key by which a caller's limits are counted; null without one. */
export function credentialOf(principal: Principal): string | null {
  switch (principal.kind) {
    case "agent":
      return principal.agentId;
    case "apiKey":
      return principal.keyId;
    case "user":
      return principal.userId;
    default:
      return null;
  }
}
