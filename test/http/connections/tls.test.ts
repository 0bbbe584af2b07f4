import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { tlsSettings, watchCertificate } from "../../../src/http/connections/tls.ts";
import type { TlsPair } from "../../../src/lib/tls-pair.ts";

const pair = (name: string): TlsPair => ({ cert: `certificate ${name}`, key: `key ${name}` });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const used: TlsPair[] = [];
  const lines: string[] = [];
  let found: TlsPair | Error = pair("a");
  const note = (fields: object, message: string) =>
    void lines.push([message, ...Object.values(fields)].join(": "));
  const watch = watchCertificate({
    inUse: pair("a"),
    read: async () => {
      if (found instanceof Error) throw found;
      return found;
    },
    use: (next) => {
      if (next.cert.includes("refused")) throw new Error("OpenSSL does not like it");
      used.push(next);
    },
    log: { debug: note, info: note, warn: note, error: note },
  });
  onTestFinished(() => watch.stop());
  return {
    watch,
    used,
    lines,
    find(next: TlsPair | Error) {
      found = next;
    },
    looks: (count: number) => vi.advanceTimersByTimeAsync(count * 2_000),
  };
}

const stays = "the new certificate cannot be used; the old one stays in use";

test("the settings exclude old protocols and limit the handshake", () => {
  const { cert, key } = pair("a");
  expect(tlsSettings(pair("a"))).toEqual({
    cert,
    key,
    minVersion: "TLSv1.2",
    handshakeTimeout: 5_000,
  });
});

describe("the watch", () => {
  test("ignores unchanged files", async () => {
    const { used, lines, looks, watch } = watched();
    await looks(5);
    await watch.reload();
    expect({ used, lines }).toEqual({ used: [], lines: [] });
  });

  test("switches to a new certificate and key once, after two checks", async () => {
    const { used, lines, looks, find } = watched();
    find(pair("b"));
    await looks(1);
    expect(used).toEqual([]);
    await looks(5);
    expect(used).toEqual([pair("b")]);
    expect(lines).toEqual(["the certificate was replaced"]);
    find(pair("a"));
    await looks(2);
    expect(used).toEqual([pair("b"), pair("a")]);
  });

  test("notices if only the chain or only the key is new", async () => {
    const { used, looks, find } = watched();
    find({ ...pair("a"), cert: `${pair("a").cert} and another` });
    await looks(2);
    find({ ...pair("a"), key: "key b" });
    await looks(2);
    expect(used).toHaveLength(2);
  });

  test("ignores files that are being written", async () => {
    const { used, lines, looks, find } = watched();
    find(new Error("not the key of the certificate"));
    await looks(1);
    find(pair("b"));
    await looks(2);
    expect(used).toEqual([pair("b")]);
    expect(lines).toEqual(["the certificate was replaced"]);
  });

  test("logs an invalid pair once, and uses a valid one later", async () => {
    const { used, lines, looks, find } = watched();
    find(new Error("no such file"));
    await looks(9);
    expect(lines).toEqual([`${stays}: no such file`]);
    find(pair("refused"));
    await looks(9);
    expect(lines).toEqual([`${stays}: no such file`, `${stays}: OpenSSL does not like it`]);
    expect(used).toEqual([]);
    find(pair("b"));
    await looks(2);
    expect(used).toEqual([pair("b")]);
  });

  test("logs an invalid pair again after a valid one", async () => {
    const { lines, looks, find } = watched();
    for (const next of [new Error("bad"), pair("a"), new Error("bad")]) {
      find(next);
      await looks(2);
    }
    expect(lines).toEqual([`${stays}: bad`, `${stays}: bad`]);
  });

  test("uses a valid pair immediately on a reload, and logs an invalid one each time", async () => {
    const { used, lines, find, watch } = watched();
    find(pair("b"));
    await watch.reload();
    expect(used).toEqual([pair("b")]);
    find(new Error("bad"));
    await watch.reload();
    await watch.reload();
    expect(lines.slice(1)).toEqual([`${stays}: bad`, `${stays}: bad`]);
  });

  test("stops checking", async () => {
    const { used, looks, find, watch } = watched();
    watch.stop();
    find(pair("b"));
    await looks(9);
    await watch.reload();
    expect(used).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
