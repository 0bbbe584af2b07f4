import type { Texts } from "../index.ts";

export const apiKeys: Texts["apiKeys"] = {
  lastUsed: "密钥上次使用时间",
  onTheHost: "在主机上创建",
  userGone: "已删除的用户",
  userDisabled: (name) => `${name}（已禁用）`,
  create: "创建 API 密钥",
  nameHint: "密钥的用途。其他人由此得知吊销密钥后哪些程序会停止工作。",
  user: "用户",
  userHint: "使用密钥的人：填写用户名，留空表示您自己。该用户和您都不能审批用此密钥提出的申请。",
  created: (name) => `API 密钥“${name}”已创建`,
  key: "API 密钥",
  keepIt: "请立即复制：密钥仅显示一次。任何持有密钥的人都可以使用其角色的权限。",
  example: "示例",
  copyExample: "复制命令",
  neverUsed: "密钥从未使用过。",
};
