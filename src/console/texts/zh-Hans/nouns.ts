import type { Texts } from "../index.ts";
import { nounWords } from "./noun-words.ts";

export const nouns: Texts["nouns"] = {
  words: nounWords,
  create: (one) => `创建${one}`,
  created: (title) => `${title} 已创建。`,
  shownOnce: "请立即复制：仅显示一次。",
  asks: (verb) => `${verb} {title}？`,
  done: (verb, title) => `已完成：${verb} ${title}。`,
  type: (one) => `请输入${one}的名称以确认`,
  unknown: (one) => `未找到${one}。`,
  dropFilter: (filter) => `移除筛选条件 ${filter}`,
};
