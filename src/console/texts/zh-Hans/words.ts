import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

export const words: Texts["words"] = {
  id: "ID",
  status: "状态",
  name: "名称",
  service: "服务",
  agent: "代理",
  action: "操作",
  type: "类型",
  description: "描述",
  message: "消息",
  payload: "载荷",
  runtime: "运行时",
  created: "创建时间",
  updated: "更新时间",
  expires: "到期时间",
  version: "版本",
  labels: "标签",
  any: "不限",
  yes: "是",
  no: "否",
  cancel: "取消",
  stop: "停止",
  close: "关闭",
  save: "保存",
  create: "创建",
  edit: "编辑",
  change: "操作",
  retry: "重试",
  copy: "复制",
  copyId: "复制 ID",
  copied: "已复制",
  notCopied: "浏览器不允许此页面复制文本。请自行选择并复制。",
  from: "开始时间",
  to: "结束时间",
  columns: "列",
  clearFilters: "清除筛选条件",
  filters: (active) => (active === 0 ? "筛选" : `筛选（${active}）`),
  more: "此行的更多信息",
  loading: "正在加载…",
  working: "正在处理…",
  nothingHere: "暂无内容。",
  nothingFound: "没有符合筛选条件的内容。",
  requestId: (id) => `请求 ${id}`,
  retryIn: (seconds) => `请在 ${seconds} 秒后重试。`,
  unreachable: "无法连接服务器。请检查服务器是否正在运行，以及网络是否正常。",
  required: "必填",
  missing: "请填写此字段。",
  unfinishedDate: "日期不完整。请填写所有部分，或清空此字段。",
  page: (page, pages) => `第 ${page} 页，共 ${pages} 页`,
  previousPage: "上一页",
  nextPage: "下一页",
  rowsPerPage: "每页行数",
  sortBy: "排序方式",
  newestFirst: "最新的在前",
  descending: (column) => `${column}，降序`,
  moreThan: (total) => `超过 ${count(total)}`,
  atLeast: (total) => `至少 ${count(total)}`,
  searchedTo: (time) => `已搜索至 ${time}。`,
  nothingSince: (time) => `已搜索至 ${time}，未找到任何内容。`,
  nothingOlder: "没有更早的内容。",
  older: "显示更早的内容",
  newest: "返回最新",
  rowsOf: (from, to, total) => `第 ${count(from)}–${count(to)} 条，共 ${count(total)} 条`,
  comma: "，",
  colon: "：",
  aside: (text) => `（${text}）`,
};

export const time: Texts["time"] = {
  now: "现在",
  never: "无",
  elapsed: "已用时间",
  elapsedOf: (elapsed, limit) => `${elapsed}，最长 ${limit}`,
};

export const timeRange: Texts["timeRange"] = {
  label: "时间",
  choices: {
    any: "不限",
    "1h": "过去 1 小时",
    today: "今天",
    "24h": "过去 24 小时",
    "7d": "过去 7 天",
    other: "自定义…",
  },
  zone: (zone) => `时区：${zone}`,
};

export const expiries: Texts["expiries"] = {
  hour: "1 小时后",
  day: "24 小时后",
  week: "7 天后",
  days30: "30 天后",
  days90: "90 天后",
  year: "1 年后",
  never: "永不过期",
};

export const selection: Texts["selection"] = {
  all: "选择此页的所有行",
  one: (title) => `选择 ${title}`,
  selected: (many) => `已选择 ${count(many)} 项`,
  clear: "清除选择",
  act: (verb, only) => (only === null ? verb : `${verb}（${count(only)}）`),
  asks: (verb, many) => `${verb}：所选的 ${count(many)} 项？`,
  type: (many) => `请输入数量 ${count(many)} 以确认`,
  andMore: (titles, many) => `${titles}，另有 ${count(many)} 个`,
  progress: (done, many) => `已完成 ${count(done)}/${count(many)}`,
  done: (verb, many) => `${verb}：已完成 ${count(many)} 项。`,
  partly: (verb, done, many) => `${verb}：已完成 ${count(done)}/${count(many)} 项`,
};

export const auditTrail: Texts["auditTrail"] = {
  label: "审计事件",
  empty: "没有审计事件。",
  actionOn: (action, service) => `${service} 上的 ${action}`,
  step: (from, to) => `由 ${from} 变为 ${to}`,
  all: (total) =>
    plural(total, { other: "审计记录中的全部 # 条事件", bound: "审计记录中的全部事件（# 条）" }),
};

export const recentCommands: Texts["recentCommands"] = {
  label: "命令",
  empty: "暂无命令。",
  all: (total) => `全部命令（${count(total)}）`,
};

export const secretFields: Texts["secretFields"] = "服务器已删除载荷中的机密信息。请重新输入：";

export const values: Texts["values"] = {
  nothing: "无",
  json: "JSON",
  kinds: { text: "文本", scalar: "值", scalars: "列表", table: "表格", object: "字段" },
  view: (of) => `显示方式：${of}`,
  moreRows: (many) => `JSON 视图中还有 ${count(many)} 行。`,
};

export const declared: Texts["declared"] = {
  by: (set, file) => (file === null ? `由集合 ${set} 管理` : `由 ${file} 管理（集合 ${set}）`),
  note: (managedBy) => `${managedBy}。${reverses}`,
  some: (many) => `其中 ${count(many)} 个由文件管理。${reverses}`,
  done: (text) => `${text}${reverses}`,
};

const reverses = "下次 apply 会撤销在此所做的更改。如需保留，请同时修改文件。";

export const leave: Texts["leave"] = {
  title: "不保存就离开？",
  text: "如果离开，您的更改会丢失。",
  verb: "离开",
};

export const inexactJson: Texts["inexactJson"] = {
  number: (written) => `无法准确发送 ${written}：最大整数为 9007199254740991。`,
  twice: (name) => `“${name}”在同一对象中出现两次：只会发送最后一个。`,
};
