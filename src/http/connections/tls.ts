// Provides the HTTPS settings, and replaces the certificate while connections stay open.

import type { SecureContextOptions, TlsOptions } from "node:tls";
import type { Log } from "../../lib/log.ts";
import type { TlsPair } from "../../lib/tls-pair.ts";

const checkEveryMs = 2_000;

export function tlsSettings(pair: TlsPair): TlsOptions {
  return { ...secureContextOf(pair), handshakeTimeout: 5_000 }; // limits the delay of a shutdown
}

export function secureContextOf({ cert, key }: TlsPair): SecureContextOptions {
  return { cert, key, minVersion: "TLSv1.2" };
}

export interface CertificateWatch {
  /** Reads the files now. Logs a problem even if it was logged before. Never rejects. */
  reload(): Promise<void>;
  stop(): void;
}

/**
 * Compares the files' contents every two seconds. Uses a new pair after two checks in a row have
 * found it, because a certificate and its key are rarely replaced at the same moment. If a pair is
 * unusable, logs this once and keeps the old pair.
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
  let timer = setTimeout(check, checkEveryMs);
  let stopped = false;
  let updating = Promise.resolve();

  /** Runs updates one after the other, so that the last one wins. */
  function update(how: { atOnce: boolean }): Promise<void> {
    updating = updating.then(() => readAndUse(how));
    return updating;
  }

  async function check(): Promise<void> {
    await update({ atOnce: false });
    if (!stopped) timer = setTimeout(check, checkEveryMs);
  }

  async function readAndUse({ atOnce }: { atOnce: boolean }): Promise<void> {
    const found = await read().catch((error: Error) => error);
    const seen = found instanceof Error ? found.message : textOf(found);
    const isStable = atOnce || seen === seenBefore;
    seenBefore = seen;
    if (seen === inUse) refused = "";
    if (stopped || !isStable || seen === inUse || (seen === refused && !atOnce)) return;
    try {
      if (found instanceof Error) throw found;
      use(found);
      inUse = seen;
      refused = "";
      log.info({}, "the certificate was replaced");
    } catch (error) {
      refused = seen;
      const reason = (error as Error).message;
      log.warn({ reason }, "the new certificate cannot be used; the old one stays in use");
    }
  }

  return {
    reload: () => update({ atOnce: true }),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function textOf({ cert, key }: TlsPair): string {
  return `${cert}\n${key}`;
}
