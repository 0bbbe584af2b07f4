// Numbers for people.

import { texts } from "../texts/index.ts";

const whole = new Intl.NumberFormat(texts.locale);
const sizes = ["B", "KiB", "MiB", "GiB", "TiB"];

/** `12,345` */
export function count(value: number): string {
  return whole.format(value);
}

/** `1 agent`, `2 agents`, `12,345 agents`. */
export function counted(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `1.2 MiB` */
export function bytes(value: number): string {
  let size = 0;
  let rest = value;
  while (rest >= 1024 && size < sizes.length - 1) {
    rest /= 1024;
    size++;
  }
  return `${size === 0 ? rest : rest.toFixed(1)} ${sizes[size]}`;
}
