import type { Amount } from "../amounts.ts";
import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

const services = (many: Amount) => `${count(many)} 个服务`;

export const rollouts: Texts["rollouts"] = {
  start: "发起分批执行",
  onThese: (many) => plural(many, { other: "对这 # 个服务执行操作", bound: "对这些服务执行操作" }),
  title: (action, total) => `${action}（${services(total)}）`,

  now: {
    title: "状态",
    running: (wave, of) => (of === 1 ? "正在执行。" : `第 ${wave} 批正在执行，共 ${of} 批。`),
    betweenWaves: (wave, next) => `第 ${wave} 批已结束，第 ${next} 批将自动开始。`,
    paused: "操作员已暂停分批执行。恢复之前不再创建命令。",
    needsApproval: "分批执行已暂停：策略要求对剩余服务进行审批。",
    waveEnded: (wave, of) => `第 ${wave} 批已结束，共 ${of} 批。`,
    allSucceeded: (total) => `全部 ${services(total)}均已成功。`,
    over: "所有批次均已执行。",
    tooMany: (failed, tolerated) =>
      `分批执行已停止：${services(failed)}失败，允许失败数为 ${count(tolerated)}。`,
    deadline: "分批执行已停止：在全部服务成功之前已到截止时间。",
    awaiting: "获批后开始分批执行。服务已确定，不再变化。",
    notApproved: "分批执行未获批准，不再在其他服务上执行。",
    cancelled: "操作员已取消分批执行。",
    failed: (many) => `${services(many)}失败。`,
    notRun: (many) => `${services(many)}未执行。`,
    open: (many) => `${count(many)} 个命令尚未结束，其结果仍会被记录。`,
    resume: "请恢复以继续，或将其取消。",
    ask: "请恢复以申请审批，或将其取消。",
    nextWave: (wave) => `请检查已执行的服务，然后恢复以开始第 ${wave} 批，或取消分批执行。`,
    retry: "请根据下方的错误查明并解决原因，然后重试。",
    retryRest: "如需执行尚未成功的服务，请重试。",
    since: {
      asked: "申请时间",
      created: "开始时间",
      paused: "暂停时间",
      resumed: "恢复时间",
      other: "结束时间",
    },
    by: (who) => `由 ${who} 操作`,
    nextWaveAt: "下一批次",
    deadlineAt: "截止时间",
  },

  waves: {
    title: "批次",
    one: (wave) => `第 ${wave} 批`,
    current: "当前",
    services,
  },

  counts: {
    FAILED: (many) => `${count(many)} 个失败`,
    RUNNING: (many) => `${count(many)} 个执行中`,
    CHECKING: (many) => `${count(many)} 个尚未健康`,
    NOT_RUN: (many) => `${count(many)} 个未执行`,
    WAITING: (many) => `${count(many)} 个等待中`,
    SUCCEEDED: (many) => `${count(many)} 个成功`,
  },

  targets: {
    title: "服务",
    legend: "按状态筛选",
    shown: (shown, total) => `显示 ${count(shown)} 个，共 ${services(total)}`,
    keys: "使用方向键在服务之间移动，按 Enter 打开命令；没有命令时打开服务。",
    reading: (read, total) => `正在读取服务：${count(read)}/${count(total)}…`,
    none: "没有符合筛选条件的服务。",
    cell: (code, state, error) => `${code}：${state}${error ? `，${error}` : ""}`,
    list: "服务，失败的在前",
    wave: "批次",
    error: "错误",
    command: "命令",
    ended: "结束时间",
    more: (many) => `再显示 ${count(many)} 个`,
  },

  rules: {
    title: "规则",
    selector: "选择器",
    everything: "所有服务",
    waves: "批次",
    maxParallel: "同时执行数",
    maxFailures: "允许失败数",
    between: "批次之间",
    betweens: { continue: "继续", pause: "暂停" },
    wait: (time) => `等待 ${time}`,
    offline: "离线的代理",
    offlines: {
      skip: "不执行其服务",
      wait: "等待代理上线",
      fail: "将其服务计为失败",
    },
    health: "健康状态",
    healthy: (time) => `${time} 内变为 HEALTHY`,
    unchecked: "不检查",
    condition: "条件",
    ifUnchanged: "仅在状态未变化时执行",
    by: "发起者",
    ended: "结束时间",
    retryOf: "重试自",
    approval: "审批",
    schedule: "计划任务",
  },

  withheld: "机密信息不显示。分批执行结束后，服务器会将其删除。",
  cancelCommands: (open) => `同时取消 ${count(open)} 个正在执行的命令`,

  retry: {
    verb: "重试",
    title: (rollout) => `重试：${rollout}`,
    what: "将以相同的载荷和规则发起新的分批执行。",
    which: "服务",
    failed: (many) => `仅限失败的 ${services(many)}`,
    rest: (many) => `同时包括未执行的 ${services(many)}`,
    prepares: "此分批执行依赖状态。要重新准备其服务并重试：",
  },

  form: {
    title: "发起分批执行",
    lead: "分批执行按批次对多个服务执行同一操作，失败过多时自动停止。",
    choice: "服务",
    found: (many) => `您选择的 ${services(many)}`,
    foundHint: "不包括之后上报的服务。",
    chooseOthers: "选择其他服务",
    selector: "选择器",
    selectorHint: "标签，例如 region=eu,tier in (web,api),!canary。",
    status: "状态",
    services: "服务标识",
    agents: "代理标识",
    codesHint: "以英文逗号分隔。",
    all: "所有服务",
    work: "操作",
    action: "操作",
    actionHint: "所选服务声明的操作。未声明此操作的服务会被排除。",
    chooseFirst: "选择操作后即可输入载荷。",
    name: "名称",
    nameHint: "分批执行的用途。",
    rules: "规则",
    waves: "批次",
    wavesHint: "每批结束后累计完成的服务数，可以是数量或比例：1, 10%。最后一批包括其余服务。",
    maxParallel: "同时执行的服务数",
    maxFailures: "允许失败数",
    maxFailuresHint: "数量或比例，例如 5%。超过时分批执行停止。",
    between: "批次之间",
    betweens: { continue: "继续", pause: "暂停，直到恢复", wait: "等待" },
    waitSeconds: "等待秒数",
    offline: "代理离线的服务",
    offlines: {
      skip: "不执行",
      wait: "等待代理上线",
      fail: "计为失败",
    },
    healthGate: "命令完成后，每个服务都必须为 HEALTHY",
    healthTimeoutSeconds: "变为 HEALTHY 的时限（秒）",
    deadlineMinutes: "截止时间（分钟）",
    deadlineHint: "如果届时尚未成功，则停止。留空表示没有截止时间。",
    wholeNumber: "请输入整数。",
    fix: "部分字段有误，请先更正。",
    preview: "预览",
  },

  preview: {
    title: "预览",
    summary: (total, waves) =>
      waves <= 1 ? `${services(total)}。` : `${services(total)}，分 ${count(waves)} 批。`,
    stops: (tolerated) =>
      tolerated === 0
        ? "首次失败即停止分批执行。"
        : `失败超过 ${count(tolerated)} 个时停止分批执行。`,
    none: "没有可执行的服务。请更改所选的服务、操作或载荷。",
    wave: "批次",
    count: "服务",
    codes: "标识",
    leftOut: (many) => `已排除（${count(many)}）`,
    why: "原因",
    onlyFirst: (shown, all) => `共 ${count(all)} 个，仅列出前 ${count(shown)} 个。`,
    start: (action, total) => `对 ${services(total)}执行 ${action}`,
  },

  confirm: {
    title: (action, total) => `对 ${services(total)}执行 ${action}？`,
    inWaves: (waves, first) =>
      waves <= 1
        ? "所有服务在一批中执行。"
        : `共 ${count(waves)} 批，第一批有 ${services(first)}。`,
    asks: "至少有一个服务的此操作需要确认，可能无法撤销。",
    word: (total) => `请输入服务数量 ${count(total)} 以确认`,
    verb: "开始分批执行",
  },
};
