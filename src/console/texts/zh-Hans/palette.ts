import type { Texts } from "../index.ts";
import { count } from "./amounts.ts";

export const palette: Texts["palette"] = {
  title: "搜索",
  label: "名称、ID、页面，或操作及其服务",
  hint: "restart web-3",
  results: "结果",
  searching: "正在搜索…",
  nothing: "未找到任何内容。",
  count: (many) => `${count(many)} 个结果`,
  kinds: { page: "页面", action: "操作" },
  footer: "使用方向键选择，按 Enter 打开。",
};

export const shortcuts: Texts["shortcuts"] = {
  title: "键盘快捷键",
  off: "单键快捷键已关闭。",
  change: "在您的账号中开启或关闭",
  next: "然后",
  or: "或",
  groups: { all: "任意页面", go: "转到页面" },
  help: "显示这些快捷键",
  single: "单键快捷键",
  singleHint:
    "按键 / 和 ?，以及 g 加另一个键。Ctrl+K（Mac 上为 Cmd+K）始终可用。此选项保存在此浏览器中。",
};
