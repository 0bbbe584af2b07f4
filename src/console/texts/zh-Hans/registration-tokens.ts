import type { Texts } from "../index.ts";
import { expiries } from "./words.ts";

export const registrationTokens: Texts["registrationTokens"] = {
  toAgent: "前往代理",
  create: "创建注册令牌",

  form: {
    nameHint: "例如令牌用于哪个代理，或由谁接收。",
    agent: "代理标识",
    agentHint: "标识，如 edge-7；或前缀，如 edge-*。留空表示任意代理。",
    labelsHint: "指定给注册的代理。每行一个，例如 env=prod。",
    replace: "允许令牌替换在线的代理",
    replaceHint: "默认情况下，任何代理都不能以在线代理的标识注册。被替换代理的令牌会被吊销。",
    expiresHint: "到期后，任何代理都不能使用此令牌注册。已注册的代理不受影响。",
    choices: {
      "3600": expiries.hour,
      "86400": expiries.day,
      "604800": expiries.week,
      "0": expiries.never,
      at: "指定时间",
    },
    at: "时间",
    atHint: (zone) => `您的本地时间（${zone}）。`,
  },

  once: {
    title: "注册令牌已创建",
    label: "注册令牌",
    warning: "请立即复制令牌：仅显示一次。",
    registered: (agent) => `代理 ${agent} 已使用此令牌注册。`,
    expires: "令牌到期时间：{time}。",
    sidecar: "使用 Sidecar",
    sidecarLead:
      "在已安装 platform 的代理主机上运行以下命令。第一条命令写入一个无需修改即可使用的配置文件。运行第二条命令前，请先阅读该文件。",
    copySidecar: "复制命令",
    curl: "使用自己的代理",
    curlLead: (code) =>
      `此调用注册代理。请将 ${code} 替换为代理的标识，并保存响应中的 agentToken：不会再次显示。`,
    copyCurl: "复制命令",
    loopback: "此地址仅在您自己的计算机上有效。在其他主机上，请使用该主机访问此服务器的地址。",
    exampleCode: "my-agent",
  },
};
