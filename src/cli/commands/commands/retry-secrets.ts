// Gets the secrets for a retry from `--secrets`, `--set` or hidden prompts, because the stored ones
// were deleted when the command finished.

import type { Path } from "../../../domain/form/places.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../domain/payload/json.ts";
import { lookUp, parsePointer } from "../../../lib/json/json-pointer.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { pathLine } from "../../form/lines.ts";
import type { Io } from "../../terminal/io.ts";
import { askHidden, canAsk } from "../../terminal/prompts.ts";
import {
  applySettings,
  exactJsonIn,
  readSettings,
  type Setting,
  textFrom,
} from "../actions/payload.ts";

interface Withheld {
  payload: JsonObject;
  /** JSON Pointers to the secrets. Older servers leave them out. */
  withheld?: readonly string[];
}

/** Reads the secrets by pointer in `--secrets`, if it is given. Throws usage errors. */
export async function givenSecrets({
  io,
  options: { secrets: source },
  signal,
}: Invocation): Promise<JsonObject> {
  if (source === undefined) return {};
  const text = await textFrom(io, "--secrets", source as string, signal);
  const value = exactJsonIn("--secrets", text);
  if (isJsonObject(value)) return value;
  throw usageError(`--secrets must be a JSON object, such as '{"/login/password":"s3cret"}'.`);
}

/**
 * Returns the secrets that `--secrets` has not `given`, by pointer, from `sets` or from hidden
 * prompts. Throws usage errors. `schema` has the types of `sets`.
 */
export async function secretsFor(
  io: Io,
  { payload, withheld }: Withheld,
  sets: readonly string[],
  { schema = {}, given }: { schema?: JsonObject | undefined; given?: JsonObject } = {},
): Promise<Record<string, Json>> {
  const strange = Object.keys(given ?? {}).find((pointer) => withheld?.includes(pointer) === false);
  if (strange !== undefined) {
    throw usageError(`--secrets: ${strange} is not a secret of this command.`);
  }
  const places = (withheld ?? []).map((pointer) => ({
    pointer,
    path: parsePointer(pointer) ?? [],
  }));
  const settings = readSettings(sets);
  refuseOthers(settings, places);
  const isSet = (path: Path) => settings.some((setting) => isSame(setting.path, path));
  const isGiven = (pointer: string) => given !== undefined && Object.hasOwn(given, pointer);
  const twice = places.find(({ pointer, path }) => isGiven(pointer) && isSet(path));
  if (twice) {
    throw usageError(`give ${pathLine(twice.path)} only once, in --secrets or with --set.`);
  }
  const others = places.filter(({ pointer }) => !isGiven(pointer));
  for (const { path } of others.filter((place) => !isSet(place.path))) {
    if (!canAsk(io)) {
      const flags = `--set ${pathLine(path)}=VALUE${given ? ", or --secrets" : ""}`;
      throw usageError(`give ${flags}: a command's secrets are deleted when it finishes.`);
    }
    const text = await askHidden({
      message: `${pathLine(path)} (deleted when the command finished)`,
      problemOf: (typed) => (typed === "" ? "It is required." : null),
    });
    settings.push({ path, text });
  }
  const whole = applySettings(payload, settings, schema);
  return Object.fromEntries(
    others.map(({ pointer }) => {
      const found = lookUp(whole, pointer);
      return [pointer, found.found ? (found.value as Json) : null];
    }),
  );
}

function refuseOthers(settings: readonly Setting[], places: readonly { path: Path }[]): void {
  const other = settings.find(({ path }) => !places.some((place) => isSame(place.path, path)));
  if (!other) return;
  const there = places.map(({ path }) => pathLine(path)).join(", ");
  throw usageError(
    `--set ${pathLine(other.path)}: a retry sends the same payload again. ` +
      (there ? `Only its secrets can be given: ${there}.` : "It contains no secrets."),
  );
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}
