// HTTPS of our own: how it is spoken, and how a new certificate takes the place of the old one while
// connections live on.

import type { SecureContextOptions, TlsOptions } from "node:tls";
import type { Log } from "../../lib/log.ts";
import type { TlsPair } from "../../lib/tls-pair.ts";

const lookEveryMs = 2_000;

export function tlsSettings(pair: TlsPair): TlsOptions {
  // Whoever does not come to the point would hold up a shutdown.
  return { ...secureContextOf(pair), handshakeTimeout: 5_000 };
}

export function secureContextOf({ cert, key }: TlsPair): SecureContextOptions {
  return { cert, key, minVersion: "TLSv1.2" };
}

export interface CertificateWatch {
  /** Reads the files again, now, and says once more what is wrong with them. Never rejects. */
  reload(): Promise<void>;
  stop(): void;
}

/**
 * Looks at the files every other second, by what is in them: however they were replaced, it is
 * seen. A pair is taken once it has stood for two looks, since a certificate and its key are seldom
 * replaced as one; one that cannot be used is logged once, and the old one stays.
 */
export function watchCertificate(parts: {
  inUse: TlsPair;
  read: () => Promise<TlsPair>;
  use: (pair: TlsPair) => void;
  log: Log;
}): CertificateWatch {
  const { read, use, log } = parts;
  let inUse = textOf(parts.inUse);
  let seenBefore = inUse;
  let refused = "";
  let timer = setTimeout(look, lookEveryMs);
  let stopped = false;
  let taking = Promise.resolve();

  /** One after the other: of two reads the later one counts. */
  function inTurn(how: { atOnce: boolean }): Promise<void> {
    taking = taking.then(() => take(how));
    return taking;
  }

  async function look(): Promise<void> {
    await inTurn({ atOnce: false });
    if (!stopped) timer = setTimeout(look, lookEveryMs);
  }

  async function take({ atOnce }: { atOnce: boolean }): Promise<void> {
    const found = await read().catch((error: Error) => error);
    const seen = found instanceof Error ? found.message : textOf(found);
    const stands = atOnce || seen === seenBefore;
    seenBefore = seen;
    if (seen === inUse) refused = "";
    if (stopped || !stands || seen === inUse || (seen === refused && !atOnce)) return;
    try {
      if (found instanceof Error) throw found;
      use(found);
      inUse = seen;
      refused = "";
      log.info({}, "the certificate was replaced");
    } catch (error) {
      refused = seen;
      const reason = (error as Error).message;
      log.warn({ reason }, "the new certificate cannot be used; the old one stays");
    }
  }

  return {
    reload: () => inTurn({ atOnce: true }),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function textOf({ cert, key }: TlsPair): string {
  return `${cert}\n${key}`;
}
