import { amountsIn } from "../amounts.ts";

export const locale: string = "en-GB";

export const { count, plural } = amountsIn(locale);
