// The typed client of the API: one call for each route of the table, over whichever transport.
// Failures come back as the AppError that the server threw.

import type { CallInput } from "../api/contract/call.ts";
import type { Pagination, QueryInput, ReplyData, WireRoute } from "../api/contract/route.ts";
import { wireRoutes } from "../api/contract/wire-routes.ts";
import type { RouteName, Routes } from "../api/index.ts";
import { AppError } from "../domain/errors.ts";
import { failureOf, type ServerError, strangeAnswer } from "./failures.ts";

export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal;
  /** How long the answer may take, in milliseconds; longer than any `wait` in the query. */
  timeoutMs?: number;
  /** Sent with a POST: it then makes its change at most once, however often it is sent. */
  idempotencyKey?: string;
}

export interface TransportRequest extends CallOptions {
  name: RouteName;
  spec: WireRoute;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

export interface TransportAnswer {
  status: number;
  /** The parsed body; undefined when it was not JSON. */
  body: unknown;
  /** In place of the body, on a route that `produces` something else and has not failed. */
  download?: Downloaded;
  /** In place of the body, on the route that opens a WebSocket and has not failed. */
  messages?: MessageStream;
  /** After so many seconds the same call may succeed. */
  retryAfterSeconds?: number | undefined;
}

/** An answer that is read while it comes. */
export interface Downloaded {
  contentType: string;
  /** By their names in lower case. */
  headers: Record<string, string>;
  chunks: AsyncIterable<Uint8Array>;
}

/** A call by method and path, whether the table knows it or not. */
export interface RawRequest extends CallOptions {
  method: string;
  /** From the root, with its query. */
  path: string;
  /** JSON, as text. */
  body?: string | undefined;
}

export interface RawAnswer {
  status: number;
  /** By their names in lower case. */
  headers: Record<string, string>;
  /** To be read to its end, or given up. */
  chunks: AsyncIterable<Uint8Array>;
}

/** What the live stream tells. */
export type StreamMessage = ReplyData<Routes["stream.open"]>;

/** To be read once, and closed. When it breaks off, reading throws Unreachable. */
export interface MessageStream extends AsyncIterable<StreamMessage> {
  close(): void;
}

export interface Transport {
  /** Where it leads, for messages: a URL or a file. */
  readonly target: string;
  /** Rejects with Unreachable when there is no answer. */
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** The same for a call by method and path. */
  request(request: RawRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface Client {
  readonly target: string;
  /** Whether a call has been answered by more than a gateway that found nobody behind it. */
  readonly reached: boolean;
  /**
   * The route's `data`. Throws AppError as the server did, ServerError when its code is not known here,
   * or Unreachable.
   */
  call<const N extends string>(
    name: N & RouteName,
    ...input: Arguments<N>
  ): Promise<ReplyData<Routes[N & RouteName]>>;
  /** A list's `data` with its place among all. */
  page<const N extends string>(
    name: N & RouteName,
    ...input: Arguments<N>
  ): Promise<{ data: ReplyData<Routes[N & RouteName]>; pagination: Pagination }>;
  /** Of a route that `produces` something else than JSON. To be read to its end, or given up. */
  download<const N extends string>(
    name: N & RouteName,
    ...input: Arguments<N>
  ): Promise<Downloaded>;
  /** Any call by method and path; answers also what has failed. Throws Unreachable. */
  request(request: RawRequest): Promise<RawAnswer>;
  /** The error that `call` throws for such an answer. */
  failureOf(answer: Pick<TransportAnswer, "status" | "body" | "retryAfterSeconds">): Error;
  /** The live stream, open. Nothing is told again: what is lost with it is in the lists. */
  watch(query?: QueryInput<Routes["stream.open"]>, options?: CallOptions): Promise<MessageStream>;
  close(): Promise<void>;
}

export interface ClientOptions extends CallOptions {
  /** What is thrown in place of an UNAUTHORIZED: who uses the client knows what its credential was. */
  onUnauthorized?: (refusal: AppError) => Error;
  /** What is thrown when the signal ends a call under way, other than GET: it may have been done. */
  onAbandoned?: (name: RouteName, reason: unknown) => unknown;
}

/**
 * `N` is any string here, and `name` narrows it: while the compiler infers `N`, it sees the loose branch as the
 * type of the input. With `N extends RouteName` it would match each input against all routes first, which
 * took most of the time of a type check.
 */
type Arguments<N> = N extends RouteName
  ? InputArguments[N]
  : [input?: object, options?: CallOptions];

type InputArguments = {
  [N in RouteName]: Record<never, never> extends CallInput<Routes[N]>
    ? [input?: CallInput<Routes[N]>, options?: CallOptions]
    : [input: CallInput<Routes[N]>, options?: CallOptions];
};

interface Envelope {
  success: boolean;
  data?: unknown;
  pagination?: Pagination;
}

/** `options` has what is for the calls that say nothing of their own, too. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  const { onUnauthorized, onAbandoned, ...defaults } = options;
  let reached = false;
  async function transmit(
    name: RouteName,
    input: { params?: unknown; query?: unknown; body?: unknown } = {},
    options: CallOptions = {},
  ): Promise<TransportAnswer> {
    const spec = wireRoutes[name];
    const signal = options.signal ?? defaults.signal;
    signal?.throwIfAborted();
    const sending = transport.send({
      name,
      spec,
      params: (input.params ?? {}) as Record<string, unknown>,
      query: (input.query ?? {}) as Record<string, unknown>,
      body: spec.method === "GET" ? undefined : (input.body ?? {}),
      ...defaults,
      ...options,
    });
    const answer = await sending.catch((error) => {
      const isAbandoned = spec.method !== "GET" && signal?.aborted && error === signal.reason;
      throw isAbandoned && onAbandoned ? onAbandoned(name, error) : error;
    });
    reached ||= answer.status < 500;
    return answer;
  }
  async function send(name: RouteName, input?: object, options?: CallOptions): Promise<Envelope> {
    const spec = wireRoutes[name];
    const answer = await transmit(name, input, options);
    if (spec.raw && answer.status < 400 && answer.body !== undefined) {
      return { success: true, data: answer.body };
    }
    return opened(answer);
  }
  function opened(answer: TransportAnswer): Envelope {
    const envelope = answer.body as Partial<Envelope> | null | undefined;
    if (envelope?.success === true) return envelope as Envelope;
    throw failed(answer);
  }
  function failed(answer: Parameters<Client["failureOf"]>[0]): Error {
    const failure: AppError | ServerError = failureOf(transport.target, answer);
    const refused = failure instanceof AppError && failure.code === "UNAUTHORIZED";
    return refused && onUnauthorized ? onUnauthorized(failure) : failure;
  }
  return {
    target: transport.target,
    get reached() {
      return reached;
    },
    call: async (name, ...[input, options]) => (await send(name, input, options)).data as never,
    page: async (name, ...[input, options]) => {
      const { data, pagination } = await send(name, input, options);
      return { data, pagination } as never;
    },
    async download(name, ...[input, options]) {
      const answer = await transmit(name, input, options);
      if (answer.download) return answer.download;
      opened(answer);
      throw strangeAnswer(transport.target, answer.status);
    },
    request: (request) => transport.request({ ...defaults, ...request }),
    failureOf: failed,
    async watch(query = {}, options) {
      const answer = await transmit("stream.open", { query }, options);
      if (answer.messages) return answer.messages;
      opened(answer);
      throw strangeAnswer(transport.target, answer.status);
    },
    close: () => transport.close(),
  };
}
