// A plan as a file: private, because it contains what the operator has typed.

import type { Plan } from "../../../domain/commands/plans.ts";
import { AppError } from "../../../domain/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../domain/payload/json.ts";
import { parseStrictJson } from "../../../lib/json/strict-json.ts";
import type { Invocation } from "../../command.ts";
import { databaseWorkedOn } from "../../connecting/destination.ts";
import { NewFile } from "../../files/new-file.ts";
import { textOfFileOrStdin } from "../../files/operators-text.ts";
import { ownFiles } from "../../files/protected-files.ts";

/** Call this before asking the agent, so that a wrong path fails first. */
export async function beginPlanFile(
  { io, options }: Invocation,
  path: string,
  force: boolean,
): Promise<NewFile> {
  const database = await databaseWorkedOn(io, options);
  return new NewFile(path, force, ownFiles(io, database));
}

export async function writePlan(file: NewFile, plan: object): Promise<void> {
  await file.write(Buffer.from(`${JSON.stringify(plan, null, 2)}\n`));
  await file.flush();
  file.finish();
}

/** `-` means standard input. Throws PLAN_INVALID. Only the server can check the signature. */
export async function readPlan({ io, signal }: Invocation, path: string): Promise<Plan> {
  const parsed = parseStrictJson(await textOfFileOrStdin(io, null, path, signal));
  if (parsed.ok && isPlan(parsed.value as Json)) return parsed.value as Plan;
  const why = parsed.ok ? "It lacks fields." : parsed.message;
  const message = `${path} is not a plan. ${why} Make one with platformctl actions plan.`;
  throw new AppError("PLAN_INVALID", message);
}

/** Checks the fields that are shown before the server checks the whole plan. */
function isPlan(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { action, service, agent, payload, currentState, expiresAt } = value;
  const areTexts = (part: Json | undefined, ...names: string[]) =>
    isJsonObject(part) && names.every((name) => typeof part[name] === "string");
  return (
    areTexts(action, "name", "label", "description", "dangerLevel") &&
    typeof (action as JsonObject).requiresConfirmation === "boolean" &&
    areTexts(service, "id", "code") &&
    areTexts(agent, "id", "code") &&
    isJsonObject(payload) &&
    currentState !== undefined &&
    typeof expiresAt === "string"
  );
}
