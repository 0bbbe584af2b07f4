/** A service's event: CloudEvents 1.0 in JSON, at most 256 KiB. A null field counts as absent. */
export interface ServiceEvent {
  /** A dotted name, such as `order.created`. Routes select events by it. */
  type: string;
  /**
   * Unique within its source, at most 200 characters. The server stores and routes an id only once,
   * so set it if your program may publish the event again after a restart. Default: a ULID.
   */
  id?: string | undefined;
  /** When the event happened, in ISO 8601 with an offset. Default: now. */
  time?: string | undefined;
  /** What the event is about within the service, such as a file name. */
  subject?: string | undefined;
  /** Any JSON. The server redacts what looks like a secret. */
  data?: unknown;
  /** The media type of `data`, such as `application/json`. Stored unchanged. */
  datacontenttype?: string | undefined;
  /**
   * The event or command that caused this one: in a handler, `context.command.id`. Set it to
   * prevent loops: an event that another event or a bus command caused can still trigger commands,
   * but the server refuses events that those commands cause.
   */
  causationid?: string | undefined;
  /** Groups related events. Stored unchanged. */
  correlationid?: string | undefined;
  /** CloudEvents extensions: names are a-z and 0-9; values are text, integers or booleans. */
  [extension: string]: unknown;
}

export interface PublishedEvent extends ServiceEvent {
  /** The code of one of the agent's services. */
  source: string;
}

export interface PublishOptions {
  /** Ends the retries when aborted. The server may already have stored the event. */
  signal?: AbortSignal | undefined;
}

/** The server's receipt: it has stored the event and created the commands that result from it. */
export interface PublishReceipt {
  /** `bev_…`: the id that operators see. It can be used as a `causationid`. */
  id: string;
  /** The event's own id, which the program set or the agent generated. */
  sourceEventId: string;
  /** 1 if another event or a bus command caused the event; otherwise 0. */
  depth: number;
  /** When the server received the event, in ISO 8601 UTC. */
  receivedAt: string;
  /** The server already had the event and did nothing. */
  duplicate: boolean;
}

export type Publish = (event: PublishedEvent, options?: PublishOptions) => Promise<PublishReceipt>;
