// The HTTP server: what is true of every request, before and after the one door.
// Request ids, limits, time-outs, security headers, and a shutdown that answers everybody.
// (docs/decisions/0015-limits-on-clients.md)

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RouteSpec } from "../api/contract/route.ts";
import {
  noteFailedRegistration,
  requireFewFailures,
} from "../core/agent-calls/registration-guard.ts";
import type { Core } from "../core/context.ts";
import type { SeriesName } from "../core/memory/request-times.ts";
import { AppError } from "../domain/errors.ts";
import { bodyLimitBytes, resultEnvelopeBytes } from "../domain/limits.ts";
import { redactText } from "../domain/payload/redaction.ts";
import { credentialOf, type Principal } from "../domain/principals.ts";
import { descriptorLimit } from "../lib/files/descriptor-limit.ts";
import type { TlsPair } from "../lib/tls-pair.ts";
import { authenticate, bearerToken } from "./auth.ts";
import {
  type Budgets,
  PendingBodies,
  type PendingBody,
  PendingOutput,
  RequestRate,
} from "./connections/budgets.ts";
import { Connection } from "./connections/connection.ts";
import { Connections } from "./connections/connections.ts";
import { connectionLimits } from "./connections/limits.ts";
import type { Seat } from "./connections/seat.ts";
import { secureContextOf, tlsSettings } from "./connections/tls.ts";
import { refuseUnparsable } from "./connections/unparsable.ts";
import { type Console, createConsole } from "./console/console.ts";
import type { ProjectFiles } from "./console/files.ts";
import { type Dispatch, isSwitchedOn, refusalFor } from "./dispatch.ts";
import type { Answer } from "./envelope.ts";
import { createRefusals, LastWord } from "./refusals.ts";
import {
  BodyTooLarge,
  dropBody,
  isStillSending,
  RequestCut,
  readJsonBody,
} from "./requests/body.ts";
import { createRequestIds, hasRepeatedHeader, idempotencyKeyOf } from "./requests/headers.ts";
import { noQuery, parseQuery } from "./requests/query.ts";
import { createRouter, found, type Match } from "./router.ts";
import { type Exchange, Sender } from "./sender.ts";
import { createSite, type SitePolicy } from "./site/site.ts";
import { attachStreams, isStreamUpgrade, type StreamGuest } from "./stream.ts";

/** Leaves room for the rest of a shutdown, which takes at most 10 s. */
const shutdownMs = 8_000;
/** How long the last answers may take to leave before everybody is hung up on. */
const lastAnswersMs = 1_000;

const settings: ServerOptions = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  // How often the time-outs are looked at: it adds to them.
  connectionsCheckingInterval: 5_000,
  insecureHTTPParser: false,
  // Who names no host is told so in the envelope.
  requireHostHeader: false,
  shouldUpgradeCallback: isStreamUpgrade,
  noDelay: true,
};

export interface HttpOptions {
  core: Core;
  dispatch: Dispatch;
  sitePolicy: SitePolicy;
  budgets: Budgets;
  commandResultMaxBytes: number;
  /** The console is read from there. */
  projectFiles: ProjectFiles;
  /** With it the server speaks HTTPS, and nothing else. */
  tls?: TlsPair;
  /** Every request waits for it; when it fails, they are UNAVAILABLE. At once when absent. */
  opening?: Promise<void>;
}

export interface HttpServer {
  server: Server;
  /** For connections from now on; without TLS it does nothing. Throws when it cannot be used. */
  useCertificate(pair: TlsPair): void;
  /** Takes no new requests, answers those in hand, and ends; at most 8 s. */
  close(): Promise<void>;
}

export function createHttpServer(options: HttpOptions): HttpServer {
  const { core, dispatch, commandResultMaxBytes } = options;
  const route = createRouter();
  const askConsole: Console = createConsole(options.projectFiles);
  const site = createSite(options.sitePolicy);
  /** A proxy's word does not make up for a foreign Host: it may have passed on what its client wrote. */
  const isOurs = (named: string | undefined, host: string | undefined) =>
    site.isOurHost(named) && (named === host || site.isOurHost(host));
  const requestIds = createRequestIds(core.fillRandom);
  const refusalOf = createRefusals(options);
  const { budgets } = options;
  const bodies = new PendingBodies(budgets, core.limitWatch);
  const output = new PendingOutput(budgets.maxPendingOutputBytes, core.limitWatch);
  const rate = new RequestRate(budgets.maxRequestsPerSecond, core.limitWatch, core.monotonic);
  const sender = new Sender(core, output);
  let isOpen = options.opening === undefined;
  const opening = options.opening?.then(
    () => {
      isOpen = true;
    },
    (cause: unknown) => {
      throw new AppError("UNAVAILABLE", "The server could not start.", { cause });
    },
  );
  // Without a request nobody needs to know.
  opening?.catch(() => undefined);
  /** Requests that are not answered yet, of all connections. */
  let inHand = 0;
  let onAllAnswered = (): void => undefined;

  const tlsServer = options.tls
    ? createTlsServer({ ...settings, ...tlsSettings(options.tls) })
    : null;
  const server: Server = tlsServer ?? createServer(settings);
  const { isCut, ...limits } = connectionLimits(budgets, descriptorLimit());
  if (isCut) {
    core.log.warn(
      { maxConnections: limits.most },
      "this process may open fewer files than PLATFORM_MAX_CONNECTIONS asks for",
    );
  }
  const connections = new Connections(
    {
      ...limits,
      isProxy: site.isProxy,
      stalledMs: budgets.stalledOutputSeconds * 1000,
    },
    core.limitWatch,
    core.monotonic,
    (request, response, seat) => {
      void handle(request, response, seat);
    },
  );
  connections.attach(server);
  core.limitWatch.usage = () => ({
    connections: connections.usage,
    pendingBodyBytes: bodies.usage,
    pendingOutputBytes: output.usage,
  });
  core.limitWatch.perClient = {
    connectionsPerAddress: limits.mostPerAddress,
    requestsPerSecond: budgets.maxRequestsPerSecond,
    stalledOutputSeconds: budgets.stalledOutputSeconds,
  };
  server.on("clientError", (error: Error, socket: Duplex) =>
    refuseUnparsable(error, socket, requestIds(undefined)),
  );

  const streams = attachStreams(server, (request, response, guest) => {
    void handle(request, response, connections.seatOf(request), guest);
  });

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    seat: Seat,
    guest?: StreamGuest,
  ): Promise<void> {
    const requestId = requestIds(request.headers["x-request-id"]);
    const arrival = site.arrivalOf(request);
    const exchange: Exchange = { response, requestId, scheme: arrival.scheme };
    let match: Match | undefined;
    let series: SeriesName = null;
    let principal: Principal | undefined;
    let pendingBody: PendingBody | undefined;
    const startedAt = core.monotonic();
    const connection = new Connection(response);
    inHand++;
    try {
      if (!isOpen) await opening;
      if (hasRepeatedHeader(request.rawHeaders)) {
        throw new LastWord("INVALID_REQUEST", "A header that may come once comes twice.");
      }
      if (request.headers.host === undefined && request.httpVersion !== "1.0") {
        throw new LastWord("INVALID_REQUEST", "The Host header is missing.");
      }
      if (!isOurs(arrival.host, request.headers.host)) {
        throw new AppError("MISDIRECTED_HOST", misdirected);
      }
      const url = request.url ?? "/";
      const mark = url.indexOf("?");
      const path = mark === -1 ? url : url.slice(0, mark);
      const matched = route(request.method ?? "GET", path);
      const file = matched === null ? askConsole(request, path) : null;
      if (file) {
        series = "console";
        sender.sendFile(exchange, file);
        return;
      }
      match = found(matched);
      series = match.name;
      const { name, spec, params } = match;
      const known = authenticate(core, site, spec, request, arrival);
      principal = known instanceof Promise ? await known : known;
      if (seat.isForOperators && isForAgents(spec)) throw connections.noRoom(seat);
      const credential = credentialOf(principal);
      rate.require(credential);
      if (credential !== null) seat.occupy();
      if (spec.access === "registration") {
        requireFewFailures(core, arrival.ip, bearerToken(request));
      }
      const isLetIn = refusalFor(spec, params, principal) === null && isSwitchedOn(core, spec);
      const wantsBody = spec.method !== "GET" && isLetIn;
      if (wantsBody) pendingBody = bodies.open(credential, arrival.ip);
      const body = pendingBody ? await readBody(spec, request, pendingBody) : undefined;
      // Who has no credential is in hand from now on: until here the request might never have come to its end.
      if (credential === null) seat.occupy();
      const answer = await dispatch({
        route: name,
        params,
        query: mark === -1 ? noQuery : parseQuery(url.slice(mark + 1)),
        body,
        principal,
        idempotencyKey: idempotencyKeyOf(request),
        bearer: spec.access === "registration" ? bearerToken(request) : null,
        secure: site.securesCookies(arrival),
        isOwnUrl: (url) => site.isOwnUrl(request, url),
        requestId,
        ip: arrival.ip,
        userAgent: redactText(request.headers["user-agent"]?.slice(0, 300) ?? "") || null,
        caller: guest ?? connection,
      });
      const { download } = answer;
      if (guest && answer.status === 101) guest.open(requestId);
      else if (download) {
        await seat.download(sender.sendDownload(exchange, download, connection));
      } else await send(exchange, answer);
    } catch (error) {
      // Refused before the door, but a sign of life all the same.
      if (principal?.kind === "agent") core.presence.agents.add(principal.agentId, core.now());
      if (error instanceof RequestCut) return;
      // Whoever it was has made us read for nothing.
      if (match?.spec.access === "registration" && isUnreadable(error)) {
        noteFailedRegistration(core, arrival.ip);
      }
      await send(exchange, refusalOf(error, match, requestId));
    } finally {
      inHand--;
      pendingBody?.release();
      if (!guest) connections.answered(seat);
      if (response.headersSent) {
        const ms = core.monotonic() - startedAt - connection.heldMs;
        core.requestTimes.note(series, response.statusCode, ms);
      }
      if (sender.closing && inHand === 0) onAllAnswered();
    }
  }

  async function send(exchange: Exchange, answer: Answer): Promise<void> {
    const { req: request } = exchange.response;
    if (isStillSending(request)) {
      dropBody(request);
      await nextTurn();
      // A body that came with the head is not on its way any more.
      if (!isStillSending(request)) request.socket.resume();
    }
    sender.send(exchange, answer);
  }

  function readBody(
    spec: RouteSpec,
    request: IncomingMessage,
    pending: PendingBody,
  ): Promise<unknown> {
    const limit = spec.bodyLimit ?? bodyLimitBytes.default;
    const bytes = limit === "commandResult" ? commandResultMaxBytes + resultEnvelopeBytes : limit;
    return readJsonBody(request, bytes, pending);
  }

  async function close(): Promise<void> {
    sender.closing = true;
    streams.close();
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    const hangUpIn = (ms: number) => setTimeout(() => server.closeAllConnections(), ms);
    const timers = [hangUpIn(shutdownMs)];
    // Whoever is still connected then has asked nothing, or does not read the answer.
    onAllAnswered = () => void timers.push(hangUpIn(lastAnswersMs));
    if (inHand === 0) onAllAnswered();
    await ended;
    onAllAnswered = () => undefined;
    for (const timer of timers) clearTimeout(timer);
  }

  return {
    server,
    useCertificate: (pair) => tlsServer?.setSecureContext(secureContextOf(pair)),
    close,
  };
}

function isUnreadable(error: unknown): boolean {
  if (error instanceof BodyTooLarge) return true;
  return error instanceof AppError && unreadable.has(error.code);
}

const unreadable: ReadonlySet<string> = new Set(["INVALID_JSON", "UNSUPPORTED_MEDIA_TYPE"]);

function isForAgents({ access }: RouteSpec): boolean {
  return access === "agent" || access === "registration";
}

const misdirected =
  "This host name is not one of this server's: they come from PLATFORM_PUBLIC_URL and " +
  "PLATFORM_ALLOWED_HOSTS.";
