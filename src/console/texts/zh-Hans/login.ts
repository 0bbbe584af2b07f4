import type { Texts } from "../index.ts";

export const login: Texts["login"] = {
  product: "platform",
  title: "登录",
  sessionOver: "会话已结束。请登录以继续之前的操作。",
  wrong: "用户名或密码错误。",
};
