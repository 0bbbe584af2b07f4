// The HTTP server: what is true of every request, before and after the one door.
// Request ids, limits, time-outs, security headers, and a shutdown that answers everybody.
// (`trust.md` "HTTP"; `decisions.md` 1, 11)

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { RouteSpec } from "../api/route.ts";
import type { Caller } from "../core/caller.ts";
import type { Core } from "../core/context.ts";
import type { Download } from "../core/download.ts";
import { AppError } from "../domain/errors.ts";
import { bodyLimitBytes, resultEnvelopeBytes } from "../domain/limits.ts";
import type { Principal } from "../domain/principals.ts";
import { redactText } from "../domain/redaction.ts";
import { authenticate, bearerToken } from "./auth.ts";
import type { CookieStyle } from "./cookies.ts";
import type { Dispatch } from "./dispatch.ts";
import { type Answer, failureAnswer } from "./envelope.ts";
import { type HostPolicy, hostCheck } from "./hosts.ts";
import { noQuery, parseQuery } from "./query.ts";
import { BodyTooLarge, RequestCut, readJsonBody } from "./request-body.ts";
import { createRequestIds, hasRepeatedHeader } from "./request-headers.ts";
import type { RequestTimes } from "./request-times.ts";
import { createRouter, type Match, MethodNotAllowed } from "./router.ts";
import { attachStreams, isStreamUpgrade, type StreamGuest } from "./stream.ts";

const maxPipelined = 16;
/** Leaves room for the rest of a shutdown, which takes at most 10 s. */
const shutdownMs = 8_000;
/** How long the last answers may take to leave before everybody is hung up on. */
const lastAnswersMs = 1_000;
/** Closing at once on one who still sends resets the connection, and the answer is lost with it. */
const lingerMs = 500;

export interface HttpOptions {
  core: Core;
  dispatch: Dispatch;
  cookieStyle: CookieStyle;
  hostPolicy: HostPolicy;
  commandResultMaxBytes: number;
  requestTimes: RequestTimes;
}

export interface HttpServer {
  server: Server;
  /** Takes no new requests, answers those in hand, and ends; at most 8 s. */
  close(): Promise<void>;
}

export function createHttpServer(options: HttpOptions): HttpServer {
  const { core, dispatch, cookieStyle, commandResultMaxBytes, requestTimes } = options;
  const route = createRouter();
  const isOurHost = hostCheck(options.hostPolicy);
  const requestIds = createRequestIds(core.fillRandom);
  const inFlight = new WeakMap<object, number>();
  /** Requests that are not answered yet, of all connections. */
  let inHand = 0;
  let closing = false;
  let onAllAnswered = (): void => undefined;

  const server = createServer(
    {
      maxHeaderSize: 8 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      // How often the time-outs are looked at: it adds to them.
      connectionsCheckingInterval: 5_000,
      insecureHTTPParser: false,
      requireHostHeader: true,
      shouldUpgradeCallback: isStreamUpgrade,
    },
    (request, response) => {
      const requestId = requestIds(request.headers["x-request-id"]);
      const { socket } = request;
      const waiting = (inFlight.get(socket) ?? 0) + 1;
      inFlight.set(socket, waiting);
      if (waiting > maxPipelined) {
        socket.destroy();
        return;
      }
      void handle(request, response, requestId);
    },
  );
  server.on("clientError", refuseUnparsable);
  const streams = attachStreams(server, (request, response, guest) => {
    void handle(request, response, requestIds(request.headers["x-request-id"]), guest);
  });

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    guest?: StreamGuest,
  ): Promise<void> {
    let match: Match | undefined;
    let principal: Principal | undefined;
    const startedAt = core.monotonic();
    const connection = new Connection(response);
    inHand++;
    try {
      if (hasRepeatedHeader(request.rawHeaders)) {
        throw new LastWord("INVALID_REQUEST", "A header that may come once comes twice.");
      }
      if (!isOurHost(request.headers.host)) {
        throw new AppError("MISDIRECTED_HOST", "This host name is not one of this server's.");
      }
      const url = request.url ?? "/";
      const mark = url.indexOf("?");
      match = route(request.method ?? "GET", mark === -1 ? url : url.slice(0, mark));
      const known = authenticate(core, cookieStyle, match.spec, request);
      principal = known instanceof Promise ? await known : known;
      const body = match.spec.method === "GET" ? undefined : await readBody(match.spec, request);
      const answer = await dispatch({
        route: match.name,
        params: match.params,
        query: mark === -1 ? noQuery : parseQuery(url.slice(mark + 1)),
        body,
        principal,
        bearer: match.spec.access === "registration" ? bearerToken(request) : null,
        requestId,
        ip: request.socket.remoteAddress ?? null,
        userAgent: redactText(request.headers["user-agent"]?.slice(0, 300) ?? "") || null,
        caller: guest ?? connection,
      });
      const { download } = answer;
      if (guest && answer.status === 101) guest.open(requestId);
      else if (download) await sendDownload(response, download, requestId, connection);
      else send(response, answer, requestId);
    } catch (error) {
      // Refused before the door, but a sign of life all the same.
      if (principal?.kind === "agent") core.presence.seen(principal.agentId, core.now());
      if (error instanceof RequestCut) return;
      const lingers = error instanceof BodyTooLarge;
      send(response, explain(error, match, requestId), requestId, lingers);
    } finally {
      inHand--;
      if (response.headersSent) {
        const ms = core.monotonic() - startedAt - connection.heldMs;
        requestTimes.note(match?.name ?? null, response.statusCode, ms);
      }
      if (closing && inHand === 0) onAllAnswered();
    }
  }

  function readBody(spec: RouteSpec, request: IncomingMessage): Promise<unknown> {
    const limit = spec.bodyLimit ?? bodyLimitBytes.default;
    const bytes = limit === "commandResult" ? commandResultMaxBytes + resultEnvelopeBytes : limit;
    return readJsonBody(request, bytes);
  }

  function explain(error: unknown, match: Match | undefined, requestId: string): Answer {
    const access = match?.spec.access ?? "public";
    if (error instanceof MethodNotAllowed) {
      const answer = failureAnswer(
        new AppError("METHOD_NOT_ALLOWED", `Here only: ${error.allow}.`),
        access,
        requestId,
      );
      return { ...answer, headers: { Allow: error.allow } };
    }
    const refusal = error instanceof BodyTooLarge ? tooLarge(match) : error;
    if (!(refusal instanceof AppError)) {
      core.log.error({ err: error, requestId }, "request failed");
    }
    const answer = failureAnswer(refusal, access, requestId);
    return refusal instanceof LastWord ? { ...answer, headers: { Connection: "close" } } : answer;
  }

  function tooLarge(match: Match | undefined): AppError {
    if (match?.spec.bodyLimit === "commandResult") {
      core.counters.add("oversizedCommandResultsRejected");
      return new LastWord(
        "COMMAND_RESULT_TOO_LARGE",
        `A result may have ${commandResultMaxBytes} bytes: send a smaller one.`,
        { details: { maxBytes: commandResultMaxBytes } },
      );
    }
    return new LastWord("PAYLOAD_TOO_LARGE", "The body is larger than this call allows.");
  }

  function send(
    response: ServerResponse,
    answer: Answer,
    requestId: string,
    lingers = false,
  ): void {
    if (response.headersSent || response.destroyed) return;
    // Not the response's own: it has none while earlier ones on the connection are unanswered.
    const { socket } = response.req;
    inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1);
    const text = JSON.stringify(answer.body);
    const headers = [
      "Content-Type",
      "application/json; charset=utf-8",
      "Content-Length",
      String(Buffer.byteLength(text)),
    ];
    writeHead(response, answer.status, headers, answer.headers, requestId);
    if (!lingers) {
      response.end(text);
      return;
    }
    response.write(text);
    setTimeout(() => response.end(), lingerMs);
  }

  /** Sends what is made meanwhile. When that fails the connection is cut: a half must not look whole. */
  async function sendDownload(
    response: ServerResponse,
    download: Download,
    requestId: string,
    caller: Connection,
  ): Promise<void> {
    const { socket } = response.req;
    const headers = ["Content-Type", download.contentType];
    if (download.fileName !== undefined) {
      headers.push("Content-Disposition", `attachment; filename="${download.fileName}"`);
    }
    writeHead(response, 200, headers, download.headers, requestId);
    // From here on it takes as long as the reader likes.
    const beganAt = core.monotonic();
    try {
      await pipeline(download.chunks, response);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE") return;
      core.log.error({ err: error, requestId }, "an answer broke off");
      socket.destroy();
    } finally {
      caller.noteHeld(core.monotonic() - beganAt);
      inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1);
    }
  }

  function writeHead(
    response: ServerResponse,
    status: number,
    headers: string[],
    more: Record<string, string> | undefined,
    requestId: string,
  ): void {
    headers.push("X-Request-Id", requestId, ...fixedHeaders);
    if (more) headers.push(...Object.entries(more).flat());
    if (closing) headers.push("Connection", "close");
    response.writeHead(status, headers);
  }

  async function close(): Promise<void> {
    closing = true;
    streams.close();
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    const hangUpIn = (ms: number) => setTimeout(() => server.closeAllConnections(), ms);
    const timers = [hangUpIn(shutdownMs)];
    // Whoever is still connected then has asked nothing, or does not read the answer.
    onAllAnswered = () => void timers.push(hangUpIn(lastAnswersMs));
    if (inHand === 0) onAllAnswered();
    await ended;
    for (const timer of timers) clearTimeout(timer);
  }

  return { server, close };
}

/** A refusal after which the connection is closed. */
class LastWord extends AppError {}

const fixedHeaders = [
  "Cache-Control",
  "no-store",
  "X-Content-Type-Options",
  "nosniff",
  "Referrer-Policy",
  "no-referrer",
  "Cross-Origin-Opener-Policy",
  "same-origin",
  "Cross-Origin-Resource-Policy",
  "same-origin",
];

/** What is not even HTTP gets a plain 400, 408 or 431 and no second chance. */
function refuseUnparsable(
  error: NodeJS.ErrnoException,
  socket: { writable: boolean; end(text: string): void; destroy(): void },
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "408 Request Timeout"
        : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** The other end of a response, for calls that are held open. */
class Connection implements Caller {
  /** How long the call was held open without work. */
  heldMs = 0;
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get gone(): boolean {
    return this.#response.destroyed || this.#response.socket?.destroyed === true;
  }

  onGone(listener: () => void): () => void {
    this.#response.once("close", listener);
    return () => this.#response.off("close", listener);
  }

  noteHeld(ms: number): void {
    this.heldMs += ms;
  }
}
