import type { Amount } from "../amounts.ts";
import type { Texts } from "../index.ts";
import { count } from "./amounts.ts";

const characters = (many: Amount) => `${count(many)} 个字符`;
const items = (many: Amount) => `${count(many)} 项`;
const fields = (many: Amount) => `${count(many)} 个字段`;

const kinds: Readonly<Record<string, string>> = {
  string: "文本",
  number: "数字（例如 12.5）",
  integer: "整数",
  boolean: "是或否",
  object: "对象",
  array: "列表",
  null: "空值",
};

export const schemaForm: Texts["schemaForm"] = {
  view: "输入方式",
  form: "表单",
  asJson: "JSON",
  jsonHint: "一个 JSON 对象。表单与此文本显示相同的载荷。",
  hiddenHint:
    "一个 JSON 对象。表单与此文本显示相同的载荷。每个 •••••• 代表一个机密：保留它即保持不变，也可替换为新值。",
  mendJson: "请先更正 JSON：表单无法显示无效的 JSON。",
  noForm: {
    tooLarge: "此操作的表单过大，无法显示。请以 JSON 输入载荷。",
    noObject: "此操作未声明字段。如需载荷，请以 JSON 输入。",
    broken: "无法显示此操作的表单。请以 JSON 输入载荷。",
  },
  wrong: "载荷不符合操作的 Schema：",
  jsonOnly: "此部分只能以 JSON 输入。",
  choose: "请选择…",
  option: (number) => `选项 ${number}`,
  kind: "类型",
  keyOf: (name) => `${name} 的名称`,
  add: (what) => `添加到 ${what}`,
  addProperty: (what) => `向 ${what} 添加字段`,
  remove: (what) => `移除 ${what}`,
  moveUp: (what) => `上移 ${what}`,
  moveDown: (what) => `下移 ${what}`,
  item: (list, number) => `${list} ${number}`,
  items: "项目",
  itemWord: "项目",
  fields: "字段",
  hints: {
    between: (low, high) => `${low} 至 ${high}。`,
    atLeast: (low) => `至少 ${low}。`,
    atMost: (high) => `至多 ${high}。`,
    lengthBetween: (low, high) => `${low} 至 ${high} 个字符。`,
    lengthAtLeast: (low) => `至少 ${characters(low)}。`,
    lengthAtMost: (high) => `至多 ${characters(high)}。`,
    itemsBetween: (low, high) => `${low} 至 ${high} 项。`,
    itemsAtLeast: (low) => `至少 ${items(low)}。`,
    itemsAtMost: (high) => `至多 ${items(high)}。`,
    unique: "不允许重复。",
    multipleOf: (step) => `步长为 ${step}。`,
    mustMatch: (pattern) => `必须匹配 ${pattern}`,
    manyChoices: (many) =>
      many === 1 ? "代理唯一接受的值。" : `代理接受的 ${count(many)} 个值之一。`,
  },
  issues: {
    required: "此项为必填。",
    type: (wanted) => `必须为${wanted.map((each) => kinds[each] ?? each).join("或")}。`,
    enum: (choices) =>
      choices.length <= 8 ? `必须为以下值之一：${choices.join(", ")}。` : "不是允许的值。",
    const: (value) => `必须为 ${value}。`,
    format: (name) => `不是有效的 ${name}。`,
    pattern: "不符合所需的格式。",
    uniqueItems: "列表中有重复的项目。",
    choice: "不符合任何选项，或符合多个选项。",
    unknown: (name) => `此处不允许 ${name}。`,
    numbers: {
      minimum: (low) => `不能小于 ${low}。`,
      maximum: (high) => `不能大于 ${high}。`,
      exclusiveMinimum: (low) => `必须大于 ${low}。`,
      exclusiveMaximum: (high) => `必须小于 ${high}。`,
      multipleOf: (step) => `必须为 ${step} 的倍数。`,
      minLength: (low) => `至少需要 ${characters(low)}。`,
      maxLength: (high) => `不能超过 ${characters(high)}。`,
      minItems: (low) => `至少需要 ${items(low)}。`,
      maxItems: (high) => `不能超过 ${items(high)}。`,
      minProperties: (low) => `至少需要 ${fields(low)}。`,
      maxProperties: (high) => `不能超过 ${fields(high)}。`,
    },
  },
  json: {
    wrong: "这不是 JSON。",
    wrongAt: (line, column) => `这不是 JSON：第 ${line} 行，第 ${column} 列。`,
    noObject: "载荷必须是对象：{ … }。",
    unknownSecret: "文本中有 ••••••，但没有对应的机密。请在该处填写值。",
  },
};
