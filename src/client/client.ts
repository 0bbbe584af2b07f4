// The typed client of the API, over any transport.

import type { CallInput } from "../api/contract/call.ts";
import type { Pagination, QueryInput, ReplyData } from "../api/contract/route.ts";
import type { RouteName, Routes } from "../api/index.ts";
import { AppError } from "../domain/errors.ts";
import { factsOf, type RouteFacts } from "../domain/route-facts.ts";
import { errorFrom, type FailedAnswer, type ServerError, strangeAnswer } from "./failures.ts";

export interface CallOptions {
  /** An abort makes the call reject with the signal's reason. */
  signal?: AbortSignal;
  /** The response timeout, which must exceed any `wait` in the query. */
  timeoutMs?: number;
  /** A repeated POST with the same key makes its change only once. */
  idempotencyKey?: string;
}

export interface TransportRequest extends CallOptions {
  name: RouteName;
  spec: RouteFacts;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

export interface TransportAnswer extends FailedAnswer {
  /** Replaces the body if the route `produces` a format other than JSON. */
  download?: Downloaded;
  /** Replaces the body if the route opens a WebSocket. */
  messages?: MessageStream;
}

/** A response whose body is read while it arrives. */
export interface Downloaded {
  contentType: string;
  /** The names are in lower case. */
  headers: Record<string, string>;
  chunks: AsyncIterable<Uint8Array>;
}

/** A call to any path, whether or not a route exists for it. */
export interface RawRequest extends CallOptions {
  method: string;
  /** The path from the root, including the query. */
  path: string;
  /** JSON text. */
  body?: string | undefined;
}

export interface RawAnswer {
  status: number;
  /** The names are in lower case. */
  headers: Record<string, string>;
  /** The caller must read the chunks to the end or abandon them. */
  chunks: AsyncIterable<Uint8Array>;
}

export type StreamMessage = ReplyData<Routes["stream.open"]>;

/** A stream must be read once and then closed. Reading throws Unreachable after a failure. */
export interface MessageStream extends AsyncIterable<StreamMessage> {
  close(): void;
}

export interface Transport {
  /** The URL or file, as messages show it. */
  readonly target: string;
  /** Rejects with Unreachable if there is no response. */
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** Rejects with Unreachable if there is no response. */
  request(request: RawRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface Client extends AsyncDisposable {
  readonly target: string;
  /**
   * Whether a call, other than `request`, got a status below 500. A gateway that cannot reach the
   * server responds with 500 or higher. Always false after `close`, even if an open call still gets
   * its response.
   */
  readonly reached: boolean;
  /** Throws the AppError that the server threw, ServerError for an unknown code, or Unreachable. */
  call<const N extends string>(
    name: N & RouteName,
    ...input: Arguments<N>
  ): Promise<ReplyData<Routes[N & RouteName]>>;
  page<const N extends string>(
    name: N & RouteName,
    ...input: Arguments<N>
  ): Promise<{ data: ReplyData<Routes[N & RouteName]>; pagination: Pagination }>;
  /** The caller must read the chunks to the end or abandon them. */
  download<const N extends string>(
    name: N & RouteName,
    ...input: Arguments<N>
  ): Promise<Downloaded>;
  /** Returns the response even if the call failed. Throws Unreachable. */
  request(request: RawRequest): Promise<RawAnswer>;
  /** Returns the error that `call` throws for this response. */
  errorFrom(answer: FailedAnswer): Error;
  /** The stream does not replay missed messages, so read the lists each time it opens. */
  watch(query?: QueryInput<Routes["stream.open"]>, options?: CallOptions): Promise<MessageStream>;
  close(): Promise<void>;
}

export interface ClientOptions extends CallOptions {
  /** Replaces an UNAUTHORIZED error. The caller knows where the credential came from. */
  onUnauthorized?: (refusal: AppError) => Error;
  /**
   * Replaces the reason if a call that may have taken effect is aborted. `name` is missing for
   * `request`, which can call any path.
   */
  onAbandoned?: (reason: unknown, name?: RouteName) => unknown;
}

/**
 * `N` is any string here, and `name` narrows it. With `N extends RouteName`, the compiler would
 * match each input against all routes, which would take most of the time of a type check.
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

/** `options` can also set the CallOptions of all calls. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  const { onUnauthorized, onAbandoned, ...defaults } = options;
  let reached = false;
  let isClosed = false;
  async function transmit(
    name: RouteName,
    input: { params?: unknown; query?: unknown; body?: unknown } = {},
    options: CallOptions = {},
  ): Promise<TransportAnswer> {
    const spec = factsOf(name);
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
      throw abandonedOr(error, spec.method, signal, name);
    });
    reached ||= answer.status < 500;
    return answer;
  }
  function abandonedOr(
    error: unknown,
    method: string,
    signal: AbortSignal | undefined,
    name?: RouteName,
  ): unknown {
    const mayChange = method !== "GET" && method !== "HEAD";
    const isAbandoned = mayChange && signal?.aborted && error === signal.reason;
    return isAbandoned && onAbandoned ? onAbandoned(error, name) : error;
  }
  async function send(name: RouteName, input?: object, options?: CallOptions): Promise<Envelope> {
    const spec = factsOf(name);
    const answer = await transmit(name, input, options);
    if (spec.fixed && answer.status < 400 && answer.body !== undefined) {
      return { success: true, data: answer.body };
    }
    return opened(answer);
  }
  function opened(answer: TransportAnswer): Envelope {
    const envelope = answer.body as Partial<Envelope> | null | undefined;
    if (envelope?.success === true) return envelope as Envelope;
    throw failed(answer);
  }
  function failed(answer: FailedAnswer): Error {
    const failure: AppError | ServerError = errorFrom(transport.target, answer);
    const refused = failure instanceof AppError && failure.code === "UNAUTHORIZED";
    return refused && onUnauthorized ? onUnauthorized(failure) : failure;
  }
  const close = () => {
    isClosed = true;
    return transport.close();
  };
  return {
    target: transport.target,
    get reached() {
      return reached && !isClosed;
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
      throw strangeAnswer(transport.target, answer);
    },
    async request(given) {
      const request = { ...defaults, ...given };
      const { method, signal } = request;
      signal?.throwIfAborted();
      return transport.request(request).catch((error) => {
        throw abandonedOr(error, method, signal);
      });
    },
    errorFrom: failed,
    async watch(query = {}, options) {
      const answer = await transmit("stream.open", { query }, options);
      if (answer.messages) return answer.messages;
      opened(answer);
      throw strangeAnswer(transport.target, answer);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
