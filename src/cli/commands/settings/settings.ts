import { cells } from "../../../api/contract/cells.ts";
import type { Body, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { type SettingName, settingNames } from "../../../domain/settings.ts";
import { suggestion } from "../../../lib/nearest.ts";
import type { Invocation, Options } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { keyAndValue } from "../../key-and-value.ts";
import { printWhole } from "../../output/listing.ts";
import { type ListView, printOne, type View } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { noteLine } from "../../terminal/notes.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { deletedBy, ignoredBy, noteLosses } from "./losses.ts";

type Settings = Reply<"settings.get">;
type Patch = Body<"settings.update">;

type Setting = ReturnType<typeof rowsOf>[number];

const view: ListView<Setting> = {
  columns: [
    { name: "name", value: (setting) => setting.name, kind: "key" },
    { name: "value", value: (setting) => setting.value },
    { name: "configured", value: (setting) => setting.configured },
    { name: "changed", value: (setting) => (setting.changed ? "yes" : "no") },
    { name: "declared", value: (setting) => setting.declared },
  ],
  nameOf: (setting) => setting.name,
  whenEmpty: "There are no settings.",
};

export async function getSettings({ io, args, options, client }: Invocation): Promise<void> {
  const [name] = args;
  const wanted = name === undefined ? null : settingNamed(name);
  const settings = await (await client()).call("settings.get");
  if (wanted === null) {
    // In YAML, the settings begin with their kind, so that `apply` accepts them.
    const kind = options.output === "yaml" ? { kind: "Settings" } : {};
    printSettings(io, options, { ...kind, ...settings });
  } else printOne(io, { ...options, headers: false }, settings.settings[wanted], bareView(wanted));
}

/** Asks before data is deleted or labels are ignored. */
export async function setSettings({ io, args, options, client }: Invocation): Promise<void> {
  const body = patchOf(args);
  const api = await client();
  const around = await settingsAround(api, body);
  const losses = [...deletedBy(...around), ...(await ignoredBy(api, ...around))];
  if (losses.length > 0) {
    const sentences = losses.map(({ text }) => text.replace(/[^.]$/, "$&."));
    await confirmOrRefuse(io, `${sentences.join(" ")} Change the settings?`, options.yes === true);
    if (options.yes === true) noteLosses(io, options, losses);
  }
  const changed = await api.call("settings.update", { body });
  printSettings(io, options, changed);
  for (const { name, declared } of rowsOf(changed)) {
    if (!(name in body) || !declared) continue;
    const text = `${name} is declared in ${printableLine(declared)}: \`platformctl apply\` restores the declared value.`;
    noteLine(io, options, "DECLARED", text);
  }
}

/** Returns the values before and after the change. */
async function settingsAround(api: Client, body: Patch) {
  const { settings, configured } = await api.call("settings.get");
  const named = Object.entries(body).map(([name, value]) => [
    name,
    value ?? configured[name as SettingName],
  ]);
  return [settings, Object.fromEntries(named) as Partial<Settings["settings"]>] as const;
}

/** Prints the API's response in data formats, and otherwise a row for each setting. */
function printSettings(io: Io, options: Options, settings: Settings): void {
  const { output = "table" } = options;
  if (output === "json" || output === "jsonl" || output === "yaml") {
    const whole: View<Settings> = { columns: [], nameOf: () => "settings" };
    printOne(io, options, settings, whole);
    return;
  }
  printWhole({ io, options }, rowsOf(settings), view);
}

function rowsOf({ settings, configured, changed, declaredIn }: Settings) {
  return settingNames.map((name) => ({
    name,
    value: shown(settings[name]),
    configured: shown(configured[name]),
    changed: changed.includes(name),
    // An older server does not send this field.
    declared: cells.declaredIn({ declaredIn: declaredIn?.[name] ?? null }),
  }));
}

type Value = Settings["settings"][SettingName];

function shown(value: Value | undefined): string | number {
  return Array.isArray(value) && value.length === 0 ? "none" : settable(value);
}

/** Returns the form that `settings set` accepts. Older servers do not return every setting. */
function settable(value: Value | undefined): string | number {
  return Array.isArray(value) ? value.join(",") : (value ?? "");
}

/** Scripts can keep the value that is printed, and set it again. */
function bareView(name: SettingName): View<Value> {
  return { columns: [{ name, value: settable }], nameOf: () => name };
}

function patchOf(words: string[]): Patch {
  const entries = words.map((word): [SettingName, Value | null] => {
    const [key, value] = keyAndValue(word, "give NAME=VALUE");
    const name = settingNamed(key);
    return [name, settingValue(name, value)];
  });
  return Object.fromEntries(entries);
}

function settingValue(name: SettingName, text: string): Value | null {
  if (text === "default" || text === "null") return null;
  if (name === "workspaceName") return text;
  if (name === "operatorLabels") return text === "" ? [] : text.split(",").map((key) => key.trim());
  if (/^\d+$/.test(text)) return Number(text);
  throw usageError(`${name} must be a whole number or "default", not ${text || "nothing"}.`);
}

function settingNamed(text: string): SettingName {
  const name = settingNames.find((known) => known === text);
  if (name) return name;
  throw usageError(`there is no setting ${text}; ${suggestion(text, "settings", settingNames)}`);
}
