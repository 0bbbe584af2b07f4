// The typed client of the API: one call for each route of the table, over whichever transport.
// Failures come back as the AppError that the server threw.

import { type RouteName, type Routes, routes } from "../api/index.ts";
import type {
  BodyInput,
  Pagination,
  ParamsInput,
  QueryInput,
  ReplyData,
  RouteSpec,
} from "../api/route.ts";
import { AppError, isErrorCode } from "../domain/errors.ts";

/** What a call carries; parts that the route does not have, or that may be empty, can be left out. */
export type CallInput<S extends RouteSpec> = Part<"params", ParamsInput<S>> &
  Part<"query", QueryInput<S>> &
  Part<"body", BodyInput<S>>;

type Part<K extends string, V> = V extends undefined
  ? { [P in K]?: undefined }
  : Record<never, never> extends V
    ? { [P in K]?: V }
    : { [P in K]: V };

export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal;
  /** How long the answer may take, in milliseconds; longer than any `wait` in the query. */
  timeoutMs?: number;
}

export interface TransportRequest extends CallOptions {
  name: RouteName;
  spec: RouteSpec;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

export interface TransportAnswer {
  status: number;
  /** The parsed body; undefined when it was not JSON. */
  body: unknown;
}

export interface Transport {
  /** Where it leads, for messages: a URL or a file. */
  readonly target: string;
  /** Rejects with Unreachable when there is no answer. */
  send(request: TransportRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}

export interface Client {
  readonly target: string;
  /** The route's `data`. Throws AppError as the server did, or Unreachable. */
  call<N extends RouteName>(
    name: N,
    ...input: Arguments<CallInput<Routes[N]>>
  ): Promise<ReplyData<Routes[N]>>;
  /** A list's `data` with its place among all. */
  page<N extends RouteName>(
    name: N,
    ...input: Arguments<CallInput<Routes[N]>>
  ): Promise<{ data: ReplyData<Routes[N]>; pagination: Pagination }>;
  close(): Promise<void>;
}

type Arguments<I> =
  Record<never, never> extends I
    ? [input?: I, options?: CallOptions]
    : [input: I, options?: CallOptions];

interface Envelope {
  success: boolean;
  data?: unknown;
  pagination?: Pagination;
  error?: { code: string; message: string; details?: Record<string, unknown>; requestId?: string };
}

export function createClient(transport: Transport): Client {
  async function send(
    name: RouteName,
    input: { params?: unknown; query?: unknown; body?: unknown } = {},
    options: CallOptions = {},
  ): Promise<Envelope> {
    const spec: RouteSpec = routes[name];
    const answer = await transport.send({
      name,
      spec,
      params: (input.params ?? {}) as Record<string, unknown>,
      query: (input.query ?? {}) as Record<string, unknown>,
      body: spec.method === "GET" ? undefined : (input.body ?? {}),
      ...options,
    });
    if (spec.raw && answer.status < 400 && answer.body !== undefined) {
      return { success: true, data: answer.body };
    }
    return opened(transport.target, answer);
  }
  return {
    target: transport.target,
    call: async (name, ...[input, options]) => (await send(name, input, options)).data as never,
    page: async (name, ...[input, options]) => {
      const { data, pagination } = await send(name, input, options);
      return { data, pagination } as never;
    },
    close: () => transport.close(),
  };
}

function opened(target: string, answer: TransportAnswer): Envelope {
  const envelope = answer.body as Partial<Envelope> | null | undefined;
  if (envelope?.success === true) return envelope as Envelope;
  const error = envelope?.error;
  if (error && isErrorCode(error.code)) {
    throw new AppError(error.code, error.message, error.details ? { details: error.details } : {});
  }
  throw new AppError(
    "UNAVAILABLE",
    `${target} answered ${answer.status} with something that is not this API.`,
    { details: { status: answer.status } },
  );
}
