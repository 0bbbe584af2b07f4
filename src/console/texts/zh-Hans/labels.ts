import type { Texts } from "../index.ts";

export const labels: Texts["labels"] = {
  edit: "指定标签",
  title: (code) => `${code} 的标签`,
  says: "指定的标签优先于代理上报的标签。审批策略、批量发布和计划任务依据标签选择对象，只有所有者可以更改指定的标签。",
  assigned: "指定的标签",
  hint: "每行一个，例如 env=prod。",
  reported: "上报的标签",
  overridden: "被覆盖的标签",
  ignored: "被忽略的标签",
  notALabel: (line) => `请将 ${line} 写成标签，例如 env=prod。`,
  saved: (code) => `${code} 的标签已保存。`,
};
