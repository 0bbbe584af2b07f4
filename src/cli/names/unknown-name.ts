// Completes the server's error about a name that does not exist with the nearest name.

import { nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import type { AppError } from "../../domain/errors.ts";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import { notFoundCode } from "../nouns/words.ts";
import { isWholeId } from "./resolve.ts";
import { namesOf } from "./search.ts";

/** Returns `There is no service web-1. Did you mean web-10?`, or any other error unchanged. */
export async function withNearestName(error: AppError, client: Client): Promise<AppError> {
  const noun = Object.values(nouns).find(({ one }) => notFoundCode(one) === error.code);
  const name = /^There is no .* (\S+)\.$/.exec(error.message)?.[1];
  if (!noun || name === undefined || isWholeId(noun.prefix, name)) return error;
  // The caller may not be allowed to list the names.
  const names = await namesOf(noun, client).catch(() => []);
  return error.reworded(error.message + didYouMean(nearest(name, names)));
}
