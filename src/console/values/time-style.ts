// How the console shows times: how long ago they were, or exactly. The browser stores the choice.

import { keptChoice } from "../components/kept-choice.ts";

export const timeStyles = ["relative", "exact"] as const;

export const timeStyle = keptChoice("times", timeStyles);
