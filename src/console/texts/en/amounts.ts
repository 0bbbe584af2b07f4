import { amountsIn } from "../amounts.ts";

export const locale = "en-GB";

export const { count, plural } = amountsIn(locale);
