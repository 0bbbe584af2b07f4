// The live stream through the client, over HTTP and in process.

import { describe, expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { keepWatching, type News } from "../../src/client/keep-watching.ts";
import { MessageQueue } from "../../src/client/message-queue.ts";
import { httpTransport } from "../../src/client/transport-http.ts";
import { localTransport } from "../../src/client/transport-local.ts";
import { Unreachable } from "../../src/client/unreachable.ts";
import { AppError } from "../../src/domain/errors.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { until } from "../helpers/process/process.ts";
import { restOf } from "../helpers/process/watcher.ts";

const ways = ["http", "local"] as const;

interface Scene {
  app: ListeningApp;
  client: Client;
  /** The API key of the reader. */
  keyId: string;
  makeToken(name: string): Promise<unknown>;
}

async function scene(way: (typeof ways)[number]): Promise<Scene> {
  const app = await listenTestApp();
  const owner = app.as("owner");
  const { id, key } = await owner.call("api-keys.create", { body: { name: "k", role: "viewer" } });
  const transport =
    way === "http"
      ? httpTransport({ url: app.url, bearer: key, userAgent: "test" })
      : localTransport(
          app.file,
          app.app.localDoor({ kind: "local", osUser: "me" }),
          async () => {},
        );
  const client = createClient(transport);
  onTestFinished(() => client.close());
  const makeToken = (name: string) => owner.call("registration-tokens.create", { body: { name } });
  return { app, client, keyId: id, makeToken };
}

describe.each(ways)("over %s", (way) => {
  test("messages of the requested types arrive until the reader stops", async () => {
    const { app, client, makeToken } = await scene(way);
    const stream = await client.watch({ types: "audit,agent" });
    await makeToken("one");
    await app.registerAgent("edge-1");
    const told: string[] = [];
    for await (const { type, data } of stream) {
      told.push(type === "audit" ? data.action : type);
      if (type === "agent") break;
    }
    expect(told).toEqual([
      "registration_token.created",
      "registration_token.created",
      "registration_token.consumed",
      "agent.registered",
      "agent",
    ]);
    stream.close();
    await restOf(app.app.core);
  });

  test("a refusal is thrown with the server's error", async () => {
    const { client } = await scene(way);
    await expect(client.watch({ types: "weather" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  test("a signal ends the reading with the signal's reason, and the stream is closed", async () => {
    const { app, client } = await scene(way);
    const abort = new AbortController();
    const stream = await client.watch({}, { signal: abort.signal });
    const reading = stream[Symbol.asyncIterator]().next();
    abort.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    await restOf(app.app.core);
    await expect(client.watch({}, { signal: abort.signal })).rejects.toThrow("enough");
  });

  test("a stream ends when the service stops", async () => {
    const { app, client } = await scene(way);
    const stream = await client.watch();
    const reading = stream[Symbol.asyncIterator]().next();
    await app.stopListening();
    await expect(reading).rejects.toBeInstanceOf(Unreachable);
  });
});

test("a stream ends when its key is revoked, and cannot be opened again", async () => {
  const { app, client, keyId } = await scene("http");
  const stream = await client.watch();
  const reading = stream[Symbol.asyncIterator]().next();
  await app.as("owner").call("api-keys.revoke", { params: { keyId } });
  await expect(reading).rejects.toMatchObject({ reason: "the API key has ended" });
  await expect(client.watch()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("opening a stream on a server that is not running throws Unreachable", async () => {
  const app = await listenTestApp();
  await app.stopListening();
  const client = createClient(httpTransport({ url: app.url, userAgent: "test" }));
  await expect(client.watch()).rejects.toMatchObject({ reason: "connection refused" });
});

describe("unread messages", () => {
  const queueOf = (limit?: number) => {
    let left = 0;
    const queue = new MessageQueue<number>({
      target: "there",
      leave: () => left++,
      ...(limit ? { limit } : {}),
    });
    return { queue, left: () => left };
  };

  test("are read before the stream ends", async () => {
    const { queue } = queueOf();
    queue.push(1);
    queue.push(2);
    queue.fail(new Error("over"));
    queue.push(3);
    const read: number[] = [];
    const reading = (async () => {
      for await (const message of queue) read.push(message);
    })();
    await expect(reading).rejects.toThrow("over");
    expect(read).toEqual([1, 2]);
  });

  test("are limited", async () => {
    const { queue } = queueOf(2);
    for (const message of [1, 2, 3, 4]) queue.push(message);
    const read: number[] = [];
    const reading = (async () => {
      for await (const message of queue) read.push(message);
    })();
    await expect(reading).rejects.toMatchObject({ reason: "reading was too slow" });
    expect(read).toEqual([1, 2]);
  });

  test("are abandoned once", () => {
    const { queue, left } = queueOf();
    queue.close();
    queue.close();
    expect(left()).toBe(1);
  });
});

describe("reconnecting", () => {
  /** The client returns these streams in order, or throws an error. */
  function scripted(streams: (MessageQueue<never> | Error)[]): Client {
    const watch = async () => {
      const next = streams.shift();
      if (!next || next instanceof Error) throw next ?? new Error("no more");
      return next;
    };
    return { watch } as unknown as Client;
  }
  const endless = () => new MessageQueue<never>({ target: "there", leave: () => undefined });
  const broken = (reason: string) => {
    const queue = endless();
    queue.fail(new Unreachable("there", reason));
    return queue;
  };

  function begin(streams: (MessageQueue<never> | Error)[], onOpen = async () => {}) {
    const abort = new AbortController();
    const told: string[] = [];
    const { signal } = abort;
    const options = { types: [], onOpen, signal, random: () => 0, firstPauseMs: 1 };
    const ended = (async () => {
      for await (const news of keepWatching(scripted(streams), options)) told.push(textOf(news));
    })();
    return { abort, told, ended };
  }
  const textOf = (news: News) => (news.kind === "lost" ? `lost: ${news.reason}` : news.kind);

  test("continues after a lost connection, a temporary refusal and a foreign response", async () => {
    const { abort, told, ended } = begin([
      broken("one"),
      new Unreachable("there", "two"),
      new AppError("UNAVAILABLE", "three"),
      endless(),
    ]);
    await until("live again", () => told.length === 5);
    expect(told).toEqual(["live", "lost: one", "lost: two", "lost: three", "live"]);
    abort.abort(new Error("enough"));
    await expect(Promise.race([ended, Promise.reject(new Error("waits"))])).rejects.toThrow();
  });

  test("treats a failure in onOpen as a lost connection", async () => {
    let times = 0;
    const { told } = begin([broken("one"), endless(), endless()], async () => {
      if (++times === 2) throw new Unreachable("there", "two");
    });
    await until("live again", () => told.length === 4);
    expect(told).toEqual(["live", "lost: one", "lost: two", "live"]);
  });

  test.each([
    ["the first opening", [new Unreachable("there", "no")], "cannot reach there"],
    ["a credential that has ended", [broken("x"), new AppError("UNAUTHORIZED", "no")], "no"],
    ["an unexpected error", [broken("x"), new TypeError("bug")], "bug"],
  ])("%s ends it", async (_what, streams, says) => {
    await expect(begin(streams).ended).rejects.toThrow(says);
  });

  test("ends a pause when the signal is aborted", async () => {
    const { abort, told, ended } = begin([
      broken("one"),
      new AppError("RATE_LIMITED", "later", { retryAfterSeconds: 9 }),
    ]);
    await until("it pauses", () => told.at(-1) === "lost: later");
    abort.abort(new Error("enough"));
    await expect(ended).rejects.toThrow("enough");
  });
});
