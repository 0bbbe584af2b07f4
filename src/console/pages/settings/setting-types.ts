// Settings as the server tells and takes them.

import type { Input, Reply } from "../../client/call.ts";

export type Settings = Reply<"settings.get">;
export type SettingsPatch = NonNullable<Input<"settings.update">["body"]>;
export type SettingName = keyof Settings["settings"];
