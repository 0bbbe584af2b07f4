// What a program publishes on the event bus, and what it gets for it.

/** An event about a service: CloudEvents 1.0 in JSON, 256 KiB at most. What is null counts as absent. */
export interface ServiceEvent {
  /** A dotted name, such as `order.created`: what routes go by. */
  type: string;
  /**
   * Tells the event from all others of its source; 200 characters at most. The same id again is stored
   * and routed no second time, so give one to what a restarted program may publish again. A ULID when
   * it is left out.
   */
  id?: string | undefined;
  /** When it happened: ISO 8601 with an offset. Now, when it is left out. */
  time?: string | undefined;
  /** What of the service it is about, such as a file's name. */
  subject?: string | undefined;
  /** Any JSON. The server takes out what looks like a secret. */
  data?: unknown;
  /** What `data` is, such as `application/json`. Kept as it is. */
  datacontenttype?: string | undefined;
  /**
   * The event or the command that this one comes from: in a handler, `context.command.id`. It keeps
   * events from going in circles: what comes of a command that the bus made is refused the second time.
   */
  causationid?: string | undefined;
  /** What belongs together, in words of your own. Kept as it is. */
  correlationid?: string | undefined;
  /** CloudEvents' extensions: names of a-z and 0-9; text, whole numbers, true or false. */
  [extension: string]: unknown;
}

export interface PublishedEvent extends ServiceEvent {
  /** The code of one of the agent's services. */
  source: string;
}

export interface PublishOptions {
  /** Ends the tries; `publish` then rejects with its reason. The server may have the event all the same. */
  signal?: AbortSignal | undefined;
}

/** The server has stored the event and made the commands that come of it. */
export interface PublishReceipt {
  /** `bev_…`: what operators see it under, and good as a `causationid`. */
  id: string;
  /** The event's own id: as given, or as made here. */
  sourceEventId: string;
  /** 0, or 1 when it comes from another event or a command of the bus. */
  depth: number;
  /** ISO 8601 UTC. */
  receivedAt: string;
  /** The server had it already; nothing was done again. */
  duplicate: boolean;
}

export type Publish = (event: PublishedEvent, options?: PublishOptions) => Promise<PublishReceipt>;
