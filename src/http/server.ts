// Adds to `dispatch` what every HTTP request needs: authentication, limits and timeouts.
// (docs/decisions/0015-limits-on-clients.md)

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RouteSpec } from "../api/contract/route.ts";
import type { Core } from "../core/context.ts";
import type { SeriesName } from "../core/monitoring/request-times.ts";
import { credentialOf } from "../domain/access/principals.ts";
import { AppError } from "../domain/errors.ts";
import { bodyLimitBytes, resultBytesPerPart, resultEnvelopeBytes } from "../domain/limits.ts";
import { redactText } from "../domain/secrets/redaction.ts";
import { descriptorLimit } from "../lib/files/descriptor-limit.ts";
import type { TlsPair } from "../lib/tls-pair.ts";
import { authenticate, bearerToken } from "./auth.ts";
import { compressionOf } from "./compression.ts";
import type { ConnectionSlot } from "./connections/connection-slot.ts";
import { Connections, operatorConnections } from "./connections/connections.ts";
import { Downloads } from "./connections/downloads.ts";
import { connectionLimits, type ListenerLimits } from "./connections/limits.ts";
import { createNodeServer, type NodeServer } from "./connections/node-server.ts";
import { PendingBodies, type PendingBody, PendingOutput } from "./connections/pending-bytes.ts";
import { RequestRate } from "./connections/request-rate.ts";
import { refuseUnparsable } from "./connections/unparsable.ts";
import { type Console, createConsole } from "./console/console.ts";
import type { ProjectFiles } from "./console/files.ts";
import type { Call, Dispatch } from "./dispatch.ts";
import type { Answer } from "./envelope.ts";
import { HttpCaller } from "./http-caller.ts";
import { FinalRefusal, refusalAnswer } from "./refusals.ts";
import {
  type BodyLimit,
  BodyTooLarge,
  dropBody,
  isStillSending,
  RequestAborted,
  readJsonText,
  type TooManyParts,
} from "./requests/body.ts";
import { checkHeaders, createRequestIds, forgetHeaders } from "./requests/headers.ts";
import { parseQuery } from "./requests/query.ts";
import { found, type Match, matchRoute } from "./router.ts";
import { type Exchange, Sender } from "./sender.ts";
import { Shutdown } from "./shutdown.ts";
import { createSite, type SitePolicy } from "./site/site.ts";
import { attachStreams, type StreamClient } from "./stream.ts";

export interface HttpOptions {
  core: Core;
  dispatch: Dispatch;
  sitePolicy: SitePolicy;
  listenerLimits: ListenerLimits;
  commandResultMaxBytes: number;
  projectFiles: ProjectFiles;
  /** If this is present, the server speaks only HTTPS. */
  tls?: TlsPair;
  /** Requests wait for this promise. If it rejects, they fail with UNAVAILABLE. */
  opening?: Promise<void>;
}

export interface HttpServer extends NodeServer {
  /**
   * Keeps handling requests for `ms`, and closes each connection after its next response. Resolves
   * immediately for 0.
   */
  drain(ms: number): Promise<void>;
  /**
   * Accepts no new requests, responds to those in progress, and stops within 8 s, including the
   * drain.
   */
  close(): Promise<void>;
}

export function createHttpServer(options: HttpOptions): HttpServer {
  const { core, dispatch, commandResultMaxBytes, listenerLimits } = options;
  const consoleFile: Console = createConsole(options.projectFiles);
  const site = createSite(options.sitePolicy);
  /** Checks both names because a proxy can pass on X-Forwarded-Host from its client. */
  const isOurs = (named: string | undefined, host: string | undefined) =>
    site.isOurHost(named) && (named === host || site.isOurHost(host));
  const requestIds = createRequestIds(core.fillRandom);
  const bodies = new PendingBodies(listenerLimits, core.limitWatch);
  const output = new PendingOutput(listenerLimits.maxPendingOutputBytes, core.limitWatch);
  const downloads = new Downloads(core.limitWatch);
  const rate = new RequestRate(
    listenerLimits.maxRequestsPerSecond,
    core.limitWatch,
    core.monotonic,
  );
  const sender = new Sender(core, output);
  const opening = new Opening(options.opening);
  const resultLimit: BodyLimit = {
    bytes: commandResultMaxBytes + resultEnvelopeBytes,
    bytesPerPart: resultBytesPerPart,
    refusal(error) {
      core.counters.count("oversizedCommandResultsRejected");
      return resultTooLarge(error, commandResultMaxBytes);
    },
  };
  const limitOf = ({ bodyLimit = bodyLimitBytes.default }: RouteSpec) =>
    bodyLimit === "commandResult" ? resultLimit : { bytes: bodyLimit };

  const { server, useCertificate } = createNodeServer(options.tls);
  const shutdown = new Shutdown(server, sender);
  const { isCut, ...limits } = connectionLimits(listenerLimits, descriptorLimit());
  if (isCut) {
    core.log.warn(
      { maxConnections: limits.most, keptForOperators: operatorConnections },
      "the limit on open files of this process allows fewer connections than PLATFORM_MAX_CONNECTIONS",
    );
  }
  const connections = new Connections(
    {
      ...limits,
      isProxy: site.isProxy,
      stalledMs: listenerLimits.stalledOutputSeconds * 1000,
    },
    core.limitWatch,
    core.monotonic,
    (request, response, slot) => {
      void handle(request, response, slot);
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
    requestsPerSecond: listenerLimits.maxRequestsPerSecond,
    stalledOutputSeconds: listenerLimits.stalledOutputSeconds,
  };
  server.on("clientError", (error: Error, socket: Duplex) =>
    refuseUnparsable(error, socket, requestIds(undefined)),
  );

  const closeStreams = attachStreams(server, (response, guest) => {
    void handle(response.req, response, connections.slotOf(response.req.socket), guest);
  });

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    slot: ConnectionSlot,
    guest?: StreamClient,
  ): Promise<void> {
    const requestId = requestIds(request.headers["x-request-id"]);
    const arrival = site.arrivalOf(request);
    const exchange: Exchange = { response, requestId, scheme: arrival.scheme };
    let match: Match | undefined;
    let series: SeriesName = null;
    let pendingBody: PendingBody | undefined;
    let endDownload: (() => void) | undefined;
    const startedAt = core.monotonic();
    const caller = new HttpCaller(response);
    shutdown.noteRequest();
    try {
      if (opening.pending !== null) await opening.pending;
      checkHeaders(request);
      if (!isOurs(arrival.host, request.headers.host)) {
        throw new AppError("MISDIRECTED_HOST", misdirected);
      }
      const url = request.url ?? "/";
      const mark = url.indexOf("?");
      const path = mark === -1 ? url : url.slice(0, mark);
      const matched = matchRoute(request.method ?? "GET", path);
      const file = matched === null ? consoleFile(request, path) : null;
      if (file) {
        series = "console";
        sender.sendFile(exchange, file);
        return;
      }
      match = found(matched);
      series = match.name;
      const { name, spec, params } = match;
      const known = authenticate(core, site, spec, request, arrival);
      const principal = known instanceof Promise ? await known : known;
      // A request that is refused after this also shows that the agent is alive.
      if (principal.kind === "agent") core.presence.agents.add(principal.agentId, core.now());
      if (slot.beyond !== null && isForAgents(spec)) throw connections.noRoom(slot);
      const credential = credentialOf(principal);
      caller.credential = credential;
      rate.require(credential);
      if (spec.produces && credential !== null) endDownload = downloads.begin(credential);
      // The connection of any other request is busy only after the body, which might never end.
      if (spec.method === "GET") slot.occupy();
      const call: Call = {
        route: name,
        params,
        query: parseQuery(mark === -1 ? "" : url.slice(mark + 1)),
        readBody: () => {
          pendingBody = bodies.open(credential, arrival.ip);
          return readJsonText(request, limitOf(spec), pendingBody).finally(() => slot.occupy());
        },
        principal,
        // Node joins repeated headers with ", ", which is not valid in a key.
        idempotencyKey: request.headers["idempotency-key"]?.toString(),
        bearer: spec.access === "registration" ? bearerToken(request) : null,
        secure: site.securesCookies(arrival),
        isOwnUrl: (url) => site.isOwnUrl(request, url),
        requestId,
        ip: arrival.ip,
        userAgent: redactText(request.headers["user-agent"]?.slice(0, 300) ?? "") || null,
        caller: guest ?? caller,
      };
      if (isPoll(spec) && !isStillSending(request)) forgetHeaders(request);
      const answer = await dispatch(call);
      const { download } = answer;
      const compression = compressionOf(spec, request);
      if (compression) exchange.compression = compression;
      if (guest && answer.status === 101) guest.open(requestId);
      else if (download) {
        await slot.download(sender.sendDownload(exchange, download, caller));
      } else {
        const sending = send(exchange, answer);
        if (sending instanceof Promise) await sending;
      }
    } catch (error) {
      if (error instanceof RequestAborted) return;
      const refused = { access: match?.spec.access ?? "public", requestId, route: match?.name };
      await send(exchange, refusalAnswer(core, error, refused));
    } finally {
      pendingBody?.release();
      endDownload?.();
      if (!guest) connections.finished(slot);
      if (response.headersSent) {
        const ms = core.monotonic() - startedAt - caller.heldMs;
        core.requestTimes.note(series, response.statusCode, ms);
      }
      shutdown.noteEnd();
    }
  }

  /**
   * Returns a promise only if the client is still sending its body or the response is compressed.
   */
  function send(exchange: Exchange, answer: Answer): Promise<void> | void {
    if (isStillSending(exchange.response.req)) return sendBeforeEnd(exchange, answer);
    return sender.send(exchange, answer);
  }

  async function sendBeforeEnd(exchange: Exchange, answer: Answer): Promise<void> {
    const { req: request } = exchange.response;
    dropBody(request);
    await nextTurn();
    // A body that arrived with the headers is complete by now.
    if (!isStillSending(request)) request.socket.resume();
    await sender.send(exchange, answer);
  }

  return {
    server,
    useCertificate,
    drain: (ms) => shutdown.drain(ms),
    close: () => shutdown.close(closeStreams),
  };
}

function resultTooLarge(error: BodyTooLarge | TooManyParts, maxBytes: number): AppError {
  if (error instanceof BodyTooLarge) {
    const message = `A result can have at most ${maxBytes} bytes. Send a smaller one.`;
    return new FinalRefusal("COMMAND_RESULT_TOO_LARGE", message, { details: { maxBytes } });
  }
  const { maxParts, message } = error;
  return new AppError("COMMAND_RESULT_TOO_LARGE", `${message} Send a smaller result.`, {
    details: { maxBytes, maxParts },
  });
}

function isForAgents({ access }: RouteSpec): boolean {
  return access === "agent" || access === "registration";
}

function isPoll({ access, method }: RouteSpec): boolean {
  return access === "agent" && method === "GET";
}

const misdirected =
  "The host name of the request is not one of this server's names, which PLATFORM_PUBLIC_URL and " +
  "PLATFORM_ALLOWED_HOSTS set.";

/** Requests that arrive while the service is starting wait for it. */
class Opening {
  /** Null when the service is open. If it rejects, requests fail with UNAVAILABLE. */
  pending: Promise<void> | null = null;

  constructor(opening: Promise<void> | undefined) {
    if (opening === undefined) return;
    this.pending = opening.then(
      () => {
        this.pending = null;
      },
      (cause: unknown) => {
        throw new AppError("UNAVAILABLE", "The server could not start.", { cause });
      },
    );
    // The failure is ignored here because each request reports it.
    this.pending.catch(() => undefined);
  }
}
