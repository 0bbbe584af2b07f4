import { amountsIn } from "../amounts.ts";

export const locale: string = "zh-Hans";

export const { count, plural } = amountsIn(locale);
