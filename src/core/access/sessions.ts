// User sessions. The database stores only an HMAC of the cookie. (docs/decisions/0020-browsers.md)

import { createHmac, timingSafeEqual } from "node:crypto";
import {
  credentialOf,
  type Principal,
  roleOf,
  type UserPrincipal,
} from "../../domain/access/principals.ts";
import { AppError } from "../../domain/errors.ts";
import { familiarNetworksPerUser, sessionMaxSeconds } from "../../domain/limits.ts";
import { isoTimeOrNull } from "../../lib/iso-time.ts";
import { endsWithin } from "../../lib/time-limit.ts";
import type { Tx } from "../../store/database.ts";
import { findApiKey } from "../../store/tables/access/api-keys.ts";
import {
  deleteSession,
  findSession,
  findSessionById,
  insertSession,
  type Session,
  slideSession,
} from "../../store/tables/access/sessions.ts";
import { noteSignInNetwork } from "../../store/tables/access/sign-in-networks.ts";
import {
  findUser,
  findUserWithPassword,
  noteLogin,
  type UserWithPassword,
} from "../../store/tables/access/users.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import { makerOf } from "../audit/trail.ts";
import { type Core, type Ctx, networkOf } from "../context.ts";
import { optionalWriteMs } from "../presence/flush.ts";

/**
 * The minimum interval between two extensions of a session. It is shorter if sessions last less
 * than four minutes.
 */
const slideEveryMs = 60_000;

/** Throws UNAUTHORIZED if the user has changed since the password check. */
export async function startSession(ctx: Ctx, user: UserWithPassword) {
  const { core } = ctx;
  const secret = Buffer.alloc(32);
  core.fillRandom(secret);
  const cookie = secret.toString("base64url");
  const principal: UserPrincipal = {
    kind: "user",
    userId: user.id,
    username: user.username,
    role: user.role,
    sessionId: core.newId("ses"),
  };
  const expiresAt = await core.db.write(async (tx) => {
    await requireSame(tx, user);
    const seconds = Math.min(core.settings.sessionTtlSeconds, sessionMaxSeconds);
    const expires = tx.now + seconds * 1000;
    await insertSession(tx, {
      id: principal.sessionId,
      userId: user.id,
      secretHash: cookieHash(core, cookie),
      expiresAt: expires,
      endsAt: tx.now + sessionMaxSeconds * 1000,
      ip: ctx.ip,
      userAgent: ctx.userAgent,
    });
    await noteLogin(tx, user.id);
    await noteSignInNetwork(tx, user.id, networkOf(ctx), familiarNetworksPerUser);
    await noteOwnSession({ ...ctx, principal }, tx, "session.login.succeeded", principal);
    return expires;
  });
  return { cookie, session: await describe(core, principal, expiresAt) };
}

function noteOwnSession(
  ctx: Ctx,
  tx: Tx,
  action: "session.login.succeeded" | "session.logout",
  { sessionId }: UserPrincipal,
): Promise<void> {
  const entry = { action, targetId: sessionId } as const;
  return auditRepeated(ctx, tx, entry, networkOf(ctx));
}

async function requireSame(tx: Tx, user: UserWithPassword): Promise<void> {
  const now = await findUserWithPassword(tx, user.id);
  const same = now?.passwordHash === user.passwordHash && now.status === "ACTIVE";
  if (same && now.role === user.role) return;
  throw new AppError("UNAUTHORIZED", "The user was just changed: sign in again.");
}

export async function whoAmI(ctx: Ctx) {
  const { core, principal } = ctx;
  return describe(core, principal, await endOf(core, principal));
}

async function endOf(core: Core, principal: Principal): Promise<number | null> {
  const { read } = core.db;
  if (principal.kind === "apiKey") {
    return (await findApiKey(read, principal.keyId))?.expiresAt ?? null;
  }
  if (principal.kind !== "user") return null;
  return (await findSessionById(read, principal.sessionId))?.expiresAt ?? null;
}

export async function logout(ctx: Ctx): Promise<{ signedOut: boolean }> {
  const { core, principal } = ctx;
  if (principal.kind !== "user") return { signedOut: false };
  const signedOut = await core.db.write(async (tx) => {
    if (!(await deleteSession(tx, principal.sessionId))) return false;
    await noteOwnSession(ctx, tx, "session.logout", principal);
    return true;
  });
  return { signedOut };
}

/** Throws UNAUTHORIZED if the session has ended. Otherwise extends it if `isActivity`. */
export async function authenticateSession(
  core: Core,
  cookie: string,
  isActivity = true,
): Promise<UserPrincipal> {
  const session = await findSession(core.db.read, cookieHash(core, cookie));
  const now = core.now();
  if (!session || session.expiresAt <= now || session.endsAt <= now) {
    throw new AppError("UNAUTHORIZED", "The session has ended: sign in again.");
  }
  if (isActivity) await slide(core, session, now);
  const { userId, username, role, id: sessionId } = session;
  return { kind: "user", userId, username, role, sessionId };
}

/** If the storage cannot write, the session keeps its expiry and the call continues. */
async function slide(core: Core, session: Session, now: number): Promise<void> {
  const restMs = core.settings.sessionTtlSeconds * 1000;
  if (now - session.lastUsedAt < Math.min(slideEveryMs, restMs / 4)) return;
  const until = Math.min(now + restMs, session.endsAt);
  if (core.storage.problem() !== null) return;
  try {
    const sliding = core.db.write((tx) => slideSession(tx, session.id, until));
    await endsWithin(optionalWriteMs, sliding);
  } catch (error) {
    if (core.storage.recordFailure(core, error)) return;
    core.log.warn({ err: error }, "a session could not be extended");
  }
}

/** Throws CSRF_INVALID unless `token` belongs to the session. */
export function checkCsrfToken(core: Core, principal: UserPrincipal, token: string | null): void {
  const expected = Buffer.from(csrfToken(core, principal.sessionId));
  const given = Buffer.from(token ?? "");
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new AppError(
    "CSRF_INVALID",
    token === null
      ? "The X-CSRF-Token header is missing: take the token from GET /api/admin/auth/me."
      : "The X-CSRF-Token header does not belong to this session.",
  );
}

async function describe(core: Core, principal: Principal, expiresAt: number | null) {
  const { live, version, busEnabled, commandTtlSeconds, thresholds } = core.settings;
  const { workspaceName } = await live.get();
  const isUser = principal.kind === "user";
  const user = isUser ? await findUser(core.db.read, principal.userId) : null;
  return {
    user: {
      id: credentialOf(principal) ?? "local",
      username: makerOf(principal) ?? "",
      displayName: user?.displayName ?? null,
      role: roleOf(principal) ?? ("viewer" as const),
    },
    csrfToken: isUser ? csrfToken(core, principal.sessionId) : null,
    installation: {
      workspaceName,
      version: version.version,
      busEnabled,
      commandTtlSeconds,
      thresholds: {
        offlineSeconds: thresholds.offlineMs / 1000,
        suppressSeconds: thresholds.suppressMs / 1000,
        serviceStaleSeconds: thresholds.serviceStaleMs / 1000,
      },
    },
    expiresAt: isoTimeOrNull(expiresAt),
  };
}

function cookieHash(core: Core, cookie: string): string {
  return createHmac("sha256", core.sessionSecret).update(cookie).digest("hex");
}

function csrfToken(core: Core, sessionId: string): string {
  return createHmac("sha256", core.sessionSecret).update(`${sessionId}:csrf`).digest("base64url");
}
