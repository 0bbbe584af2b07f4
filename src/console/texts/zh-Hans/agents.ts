import type { Texts } from "../index.ts";

export const agents: Texts["agents"] = {
  mode: "模式",
  registered: "注册时间",

  life: "连接",
  meaning: {
    ONLINE: (within) => `代理在过去 ${within} 内调用过服务器。任何调用都算，不仅限于心跳。`,
    SILENT: (after) => `代理已超过 ${after} 未调用服务器。下次调用后恢复为 ONLINE。`,
    STOPPED: "代理上报其正在停止。下次调用后恢复为 ONLINE。",
    TOKEN_REVOKED: "代理的令牌已被吊销。在代理重新注册之前，服务器拒绝其调用。",
    DISABLED:
      "操作员已禁用此代理，服务器拒绝其调用。其服务为 OFFLINE，发往这些服务的命令如不排队则会被拒绝。",
  },
  disabledSince: "禁用时间",
  token: "代理令牌",
  tokenSince: "签发时间",
  withoutToken: "令牌已吊销",
  tokenRevokedMeaning:
    "代理没有有效令牌，需要使用新的注册令牌重新注册。在此之前，服务器拒绝其调用，其服务为 OFFLINE。",
  services: "服务",
  since: "起始时间",
  servicesLabel: "此代理的服务",
  noServices: "代理尚未上报任何服务。",
  refused: "被拒绝的服务",
  refusedMeaning:
    "代理上报了这些服务，但它们属于其他代理，因此服务器忽略这些上报。如果其他代理离线、被禁用或没有令牌，或者操作员移动了服务，此代理就会接管服务。",
  refusedService: "{service} 属于 {agent}；首次拒绝：{time}",
  commands: "最近的命令",
  audit: "审计记录",
};
