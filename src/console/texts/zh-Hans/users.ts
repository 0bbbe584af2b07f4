import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

export const users: Texts["users"] = {
  you: "您",
  username: "用户名",
  usernameHint: "名称或电子邮件地址：字母、数字和 . _ @ + -。不区分大小写。",
  displayName: "显示名称",
  displayNameHint: "可选。与用户名一起显示。",
  role: "角色",
  roles: { owner: "所有者", operator: "操作员", viewer: "只读用户", metrics: "指标" },
  roleMeans: {
    owner: "可以执行所有操作，包括管理用户、所有 API 密钥、指定的标签、设置和备份。",
    operator: "可以查看只读用户能看到的内容，执行操作，并管理代理、服务、注册令牌和总线路由。",
    viewer: "可以查看除用户、API 密钥、设置和指标以外的所有内容，不能作任何更改。",
    metrics: "只能读取指标。供 Prometheus 使用。",
  },
  lastLogin: "上次登录",
  passwordChanged: "密码修改时间",
  changes: "更改次数",
  whatTheyDid: "此用户的事件",
  whatWasDone: "对此用户的更改",

  create: "创建用户",
  created: (name) => `用户 ${name} 已创建。`,
  tellThem: (name) => `请立即将此密码交给 ${name}。密码仅显示一次。`,

  editTitle: (name) => `编辑 ${name}`,
  saved: (name) => `用户 ${name} 已修改。`,
  roleEndsSessions:
    "更改角色会结束此用户的会话，用户需要重新登录。降低角色还会吊销此用户角色更高的 API 密钥。",
  ownRole: "这是您自己的账号。您需要以新角色重新登录，并且可能无法撤销此更改。",
  conflict: "其他人已修改此用户。用户现为：",
  takeTheirs: "以新版本继续",

  keysGo: (many) => plural(many, { other: "以下 API 密钥将被永久吊销：" }),
  moreKeys: (many) => `另有 ${count(many)} 个`,
  disableYourself: "这是您自己的账号：您将立即退出登录，只有其他所有者才能重新启用此账号。",

  endOwnSessions: "这是您自己的账号：您在此处也会退出登录。",
  ended: (sessions) => `已结束 ${count(sessions)} 个会话。`,

  deleteYourself: "这是您自己的账号。",

  setPassword: "设置密码",
  setPasswordTitle: (name) => `设置 ${name} 的密码`,
  setPasswordSays: "旧密码将失效。已有的会话继续有效。",
  passwordIsSet: (name) => `${name} 的密码已更新。已有的会话继续有效。`,
  endThem: "结束会话",
  yourOwn: "请在您的账号页面修改自己的密码。",

  password: "密码",
  passwordRules: "12 至 128 个字符。不能是用户名、常见密码或 abcdef 之类的序列。",
  makeUp: "生成",
  madeUp: "此密码是自动生成的。保存后会再显示一次，之后不再显示。",
};
