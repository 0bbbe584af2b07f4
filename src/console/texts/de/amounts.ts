import { amountsIn } from "../amounts.ts";

export const locale: string = "de";

export const { count, plural } = amountsIn(locale);
