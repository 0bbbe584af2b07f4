import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

export const approvals: Texts["approvals"] = {
  pending: (many) => `他人的 ${count(many)} 个申请等待审批`,
  tabs: { label: "审批", inbox: "待办", all: "全部申请" },

  inbox: {
    yours: "待您审批",
    others: "待他人审批",
    none: "没有需要您审批的申请。",
    noneAtAll: "没有等待审批的申请。",
    request: "申请",
    policies: "策略",
    by: "申请人",
    you: "您",
    more: (many) =>
      plural(many, {
        other: "全部 # 个等待审批的申请",
        bound: "全部等待审批的申请（#）",
      }),
  },

  needed: {
    text: (policies) => `策略 ${policies.join("、")} 要求审批。由他人批准后才会执行。`,
    verb: "申请审批",
  },

  glass: {
    label: "紧急放行：不经审批直接执行",
    loud: "审计记录和服务器日志会记录您的用户名和原因，概览会在 7 天内向所有人显示。",
    reason: "为什么不能等待审批？",
    verb: "不经审批执行",
  },

  waiting: {
    title: "等待审批",
    nothingYet: "申请获批之前不会执行任何操作。",
    own: "这是您提交的申请，因此需要由他人批准。",
    open: "查看申请",
    expires: "到期时间：{time}",
  },

  ended: {
    APPROVED: "申请已批准。",
    REJECTED: "申请已被拒绝，不会执行。",
    WITHDRAWN: "申请已撤回，不会执行。",
    EXPIRED: "申请在获批前已过期，不会执行。如需执行，请重新申请。",
    OUTDATED: "申请之后，要执行的内容已发生变化，因此不会执行。如需按现状执行，请重新申请。",
    FAILED: "申请已批准，但无法执行。",
    BYPASSED: "所有者未经审批执行了此申请。",
  },
  runsRollout: "分批执行",
  runsSchedule: "计划任务",
  because: (reason) => `原因：${reason}`,

  detail: {
    what: "将要执行的内容",
    whatRan: "申请的内容",
    command: "命令",
    asked: "申请时间",
    by: "申请人",
    withKey: "{user}（使用 API 密钥 {name}）",
    expires: "到期时间",
    ended: "结束时间",
    digest: "摘要",
    digestHint: "唯一标识要执行的内容。批准仅对此摘要有效。",
    withheld: "机密信息不显示，但包含在摘要中。",
    ifUnchanged: "仅在状态未变化时执行",
    retryOf: "重试自",
    timeout: "超时时间",
    ownPayloads: "个别服务的载荷",
    targets: "各批次的目标",
    wave: "批次",
    services: "服务",
    codes: "标识",
    gone: "分批执行已不存在。申请的内容如下：",
    dues: "后续运行",
  },

  requirements: {
    title: "审批要求",
    progress: (done, needed) => `已批准 ${count(done)}/${count(needed)}`,
    from: { operator: "任意操作员或所有者", owner: "任意所有者" },
    nobody: "无（相关用户已删除）",
    who: (who) => `审批人：${who}`,
    by: (names) => `已批准：${names}`,
  },

  decisions: {
    title: "审批结果",
    none: "尚无人审批。",
    who: "用户",
    what: "结果",
    when: "时间",
    comment: "备注",
    words: { APPROVE: "APPROVED", REJECT: "REJECTED" },
  },

  approve: {
    verb: "批准",
    title: (title) => `批准 ${title}？`,
    runs: "您批准后，将立即以申请人的名义执行。",
    counts: "您的批准有效，但还需要更多批准才会执行。",
    schedule: "您批准后，计划任务将按时运行。",
    comment: "备注",
    commentHint: "随审批结果保存，并写入审计记录。",
    digest: "您批准的内容与以下摘要完全一致：",
    done: "已批准申请。",
    changed: "申请在您阅读之后已发生变化。页面现已显示将要执行的内容，请阅读后重新决定。",
  },
  reject: {
    verb: "拒绝",
    title: (title) => `拒绝 ${title}？`,
    what: "申请将结束，不会执行。",
    reason: "原因",
    reasonHint: "申请人可以看到。",
    done: "已拒绝申请。",
  },
  errors: {
    OWN_REQUEST: "这是您自己提交的申请，因此需要由他人审批。",
    NOT_AN_APPROVER: "根据此申请的策略，您不能审批。请联系其中的审批人。",
    APPROVAL_WRONG_STATE: "申请已经结束。页面现已显示其状态。",
    AGENT_OFFLINE: "代理离线，目前无法执行操作。您的批准未被记录，请在代理恢复后再批准。",
    AGENT_DISABLED: "代理已禁用。您的批准未被记录。请启用代理，然后再次批准。",
  },
};
