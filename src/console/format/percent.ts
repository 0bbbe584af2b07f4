import { texts } from "../texts/index.ts";

const { format } = new Intl.NumberFormat(texts.locale, {
  style: "percent",
  maximumFractionDigits: 2,
});

/** `99.98%`. Rounds down, so that only a share of 1 is 100%. */
export function percent(share: number): string {
  return format(Math.floor(share * 10_000 + 1e-6) / 10_000);
}
