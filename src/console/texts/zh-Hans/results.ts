import type { Texts } from "../index.ts";
import { count } from "./amounts.ts";

export const results: Texts["results"] = {
  actions: "操作",
  empty: "没有数据。",
  redacted: "已隐藏",
  rows: (many) => `${count(many)} 行`,
  part: (first, last, total) => `第 ${count(first)} 至 ${count(last)} 行，共 ${count(total)} 行`,
  row: (number) => `第 ${number} 行`,
  tableOf: (title) => `表格：${title}`,
  copy: (label) => `复制 ${label}`,
  otherColumns: (many) => `JSON 视图中还有 ${count(many)} 列。`,
  otherFields: (many) => `JSON 视图中还有 ${count(many)} 个字段。`,
  undeclared: (action) => `服务未声明操作 ${action}。`,
  filledFrom: "部分字段已根据 {command} 的结果填写",
  gone: "提供此操作的结果已无法读取，因此未填写其中的值。",
};
