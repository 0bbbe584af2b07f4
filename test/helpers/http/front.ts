import { request } from "node:http";
import { serveHttp } from "./listen.ts";

interface Front {
  url: string;
  /** Refuses the next matching calls as well, as at the start. */
  refuseAgain: () => void;
  /** The times of the matching calls, in milliseconds. */
  calls: number[];
}

interface Refusals {
  times?: number;
  retryAfter?: number;
}

/** Starts a proxy that refuses the first calls with a matching path. */
export async function frontOf(
  { port }: { port: number },
  refused: Pick<RegExp, "test">,
  [status, body]: readonly [number, string],
  { times = 1, retryAfter = 1 }: Refusals = {},
): Promise<Front> {
  const calls: number[] = [];
  let left = times;
  const url = await serveHttp((incoming, outgoing) => {
    const { method, url: path = "", headers } = incoming;
    const isMatching = refused.test(path);
    if (isMatching) calls.push(performance.now());
    if (isMatching && left-- > 0) {
      outgoing.writeHead(status, { "retry-after": String(retryAfter) }).end(body);
      return;
    }
    const onward = request({ port, host: "127.0.0.1", method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.on("close", () => onward.destroy());
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  return {
    url,
    calls,
    refuseAgain() {
      left = times;
    },
  };
}

/** The server's envelope for a refusal. */
export const refusal = (code: string) =>
  `{"success":false,"error":{"code":"${code}","message":"Not now."}}`;
