import type { Texts } from "../index.ts";
import { count } from "./amounts.ts";

export const overview: Texts["overview"] = {
  title: "概览",
  counts: {
    agents: "代理",
    services: "服务",
    commands: "未结束的命令",
    tokens: "注册令牌",
  },
  begin: {
    title: "开始使用",
    text: "尚无代理注册。代理在您的服务旁运行，上报服务的健康状态并执行服务的操作。",
    steps: [
      "创建注册令牌，供一个代理注册。",
      "在运行服务的主机上使用令牌启动代理。创建令牌后，控制台会显示所需的命令。",
      "代理的服务会显示在此处。",
    ],
    viewer: "请联系操作员或所有者创建注册令牌。",
  },
  map: {
    title: "健康状态图",
    legend: "按状态筛选",
    find: "查找服务",
    findHint: "服务或代理的标识",
    problemsFirst: "问题优先",
    keys: "使用方向键在服务之间移动，按 Enter 打开服务。",
    cell: (code, name, status, message) =>
      `${code}，${name}：${status}${message ? `，${message}` : ""}`,
    shown: (shown, total) => `显示 ${count(shown)} 个，共 ${count(total)} 个服务`,
    truncated: (shown, total) =>
      `共有 ${count(total)} 个服务。此图显示其中最需要关注的 ${count(shown)} 个。`,
    noServices: "尚无代理上报服务。",
    none: "没有符合筛选条件的服务。",
  },
  commands: {
    title: "命令趋势",
    window: "时间范围",
    windows: { 1: "1 小时", 6: "6 小时", 24: "24 小时", 168: "7 天" },
    succeeded: "成功",
    failed: "失败",
    cancelled: "已取消",
    failures: "失败的命令",
    otherOutcomes: "成功和已取消的命令",
    durations: "耗时",
    p50: "p50",
    p95: "p95",
    none: "此时间范围内没有命令结束。",
    asTable: "显示表格",
    asPlot: "显示图表",
    summary: (succeeded, failed, cancelled) =>
      `${count(succeeded)} 个成功，${count(failed)} 个失败，${count(cancelled)} 个已取消`,
    plot: (what, window, summary) => `${what}（过去 ${window}）：${summary}。具体数值见表格。`,
    covered: (from) => `命令过多，无法全部统计。${from} 之后的数据是完整的。`,
  },
  failures: {
    title: "最近的失败",
    all: "查看全部",
    none: "没有失败的命令。",
  },
  notices: {
    decide: (many) => `${count(many)} 个申请等待您审批`,
    pending: (many) => `${count(many)} 个申请等待审批`,
    more: (many) => `另有 ${count(many)} 个`,
    inbox: "打开待办",
    bypassed: (many) => `过去 7 天有 ${count(many)} 次紧急放行`,
    by: "{who}，{time}",
    duplicated: (many) => `${count(many)} 个代理重复运行`,
    duplicatedHelp:
      "两个程序在使用同一个令牌，例如主机被克隆之后。请停止其中一个，或删除它的状态目录并用单独的代码重新注册。",
  },
  dataLoss: {
    banner: "已确认的更改丢失。",
    since: "{host} 上的服务器在{time}发现数据库回退，例如故障切换到了滞后的副本。",
    held: "计划任务和分批执行不会启动任何操作，因为可能已执行过。",
    askOwner: "需要所有者接受。",
    verb: "接受丢失",
    title: "接受更改丢失？",
    what: "丢失时段内的命令、结果和吊销均已不存在。请检查已执行的操作，重新吊销，然后让计划任务和分批执行继续。它们可能会重复当时的操作。",
    done: "计划任务和分批执行已继续。",
  },
  feed: {
    title: "实时动态",
    pause: "暂停",
    resume: "继续",
    waiting: (many) => `暂停后新增 ${count(many)} 条`,
    all: "查看审计记录",
    problems: "问题",
    others: "其他",
  },
};
