import type { Texts } from "../index.ts";

export const actions: Texts["actions"] = {
  danger: (level) => `危险等级 ${level}`,
  on: (service, agent) => `通过代理 ${agent} 在服务 ${service} 上执行。`,
  state: "当前状态",
  input: "输入",
  reason: "原因",
  reasonHint: "随命令保存，并写入审计记录。",
  ifUnchanged: "仅在状态未变化时执行",
  ifUnchangedHint: "代理在执行操作前会再次比较状态。如果状态已变化，则不执行。",
  runThis: (label) => `执行 ${label}`,
  prepareAgain: "重新准备",
  preparing: {
    title: "正在准备",
    asking: "正在向代理获取表单和当前状态…",
    waiting: "正在等待代理获取命令…",
    running: "代理正在准备表单…",
  },
  failed: {
    title: "无法准备此操作",
    agentSays: "代理消息",
    code: "错误码",
    command: "命令",
    without: "不准备，直接继续",
    withoutWhy: "此时表单来自服务的操作目录，当前状态未知。",
    advice: {
      ACTION_PREPARE_TIMEOUT:
        "代理未及时响应。代理可能繁忙，或服务没有响应。请检查代理，然后重新准备。",
      ACTION_PREPARE_FAILED: "代理无法准备此操作。消息来自服务。",
      AGENT_OFFLINE: "代理离线，无法准备表单。可以不准备直接继续，并将命令排队，待代理恢复后执行。",
      AGENT_DISABLED: "代理已禁用。请先启用代理，再向其发送命令。",
      ACTION_NOT_FOUND: "服务不再提供此操作。",
      SERVICE_NOT_FOUND: "服务已不存在。",
      COMMAND_ALREADY_COMPLETED: "有人取消了准备。",
    },
  },
  unprepared: "此操作未经准备，因此表单来自服务的操作目录。",
  confirm: {
    title: (label) => `执行 ${label}？`,
    what: (label, service, agent) => `代理 ${agent} 将在服务 ${service} 上执行“${label}”。`,
    unchanged: "仅当状态仍与此处显示的一致时才会执行。",
    high: "此操作的危险等级为 HIGH，可能无法撤销。",
    empty: "载荷为空。",
    word: (service) => `请输入标识 ${service} 以确认`,
    verb: "执行操作",
  },
  queue: {
    title: "无法连接代理",
    what: (agent, expiresIn) =>
      `目前无法连接 ${agent}。可以将命令排队，代理恢复后就会执行。命令在 ${expiresIn}后过期。`,
    disabled: (agent, expiresIn) =>
      `${agent} 已禁用或没有令牌。可以将命令排队，代理恢复后就会执行。命令在 ${expiresIn}后过期。`,
    verb: "将命令排队",
  },
};
