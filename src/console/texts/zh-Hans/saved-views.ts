import type { Texts } from "../index.ts";

export const savedViews: Texts["savedViews"] = {
  label: "已保存的视图",
  save: "保存视图",
  saveTitle: "保存此视图",
  what: "视图保存此列表的筛选条件、排序和可见列。",
  shared: "所有人可见",
  saved: (name) => `${name} 已保存。`,
  replace: "替换",
  replaces: (name) => `将替换视图 ${name}。`,
  rename: "编辑视图",
  renameTitle: (name) => `编辑视图 ${name}`,
  sharedSign: "（共享）",
  changed: (version) => `其他人已修改此视图，其版本现为 ${version}。请关闭此对话框后重试。`,
};
