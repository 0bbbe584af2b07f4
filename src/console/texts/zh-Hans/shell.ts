import type { Texts } from "../index.ts";

export const shell: Texts["shell"] = {
  titleWith: (attention, title) => `(${attention}) ${title}`,
  skip: "跳到内容",
  menu: "菜单",
  navigation: "主导航",
  pages: { overview: "概览", audit: "审计记录", settings: "设置" },
  groups: { fleet: "运维", bus: "事件总线", administration: "系统管理" },
  experimental: "实验性",
  live: "实时",
  connecting: "正在连接…",
  down: "非实时",
  notLiveWhy: "非实时：与服务器的连接已断开，此页面可能已过时。正在重新连接…",
  notReady: (why) => `服务器无法保存任何内容，因此拒绝更改：${why}`,
  signedInAs: (name, role) => `${name}，${role}`,
  signOut: "退出登录",
  stillSignedIn: (why) => `您仍处于登录状态。${why}`,
  language: "语言 (Language)",
  theme: { label: "主题", system: "跟随系统", light: "浅色", dark: "深色" },
  times: { label: "时间", relative: "相对", exact: "精确" },
  notFound: {
    title: "页面不存在",
    text: "此地址没有页面。",
    home: "前往概览",
  },
  broken: {
    title: "出错了",
    text: "由于发生错误，控制台无法显示此页面。",
    reload: "重新加载",
  },
  newer: {
    title: "控制台有新版本",
    text: "服务器上的控制台版本已变化。请重新加载页面以继续。",
  },
  notLoaded: {
    title: "无法加载此页面",
    away: "无法连接服务器。请在服务器恢复后重新加载页面。",
    same: "控制台的一部分未能加载。服务器已恢复响应，请重新加载页面。",
  },
  forbidden: {
    title: "您的角色无权访问",
    text: (role) => `此页面需要${role}角色。`,
  },
  busOff: {
    title: "事件总线未启用",
    text: "此服务器未启用事件总线（实验性功能）。如需使用，请以 PLATFORM_CAPSULE_BUS_ENABLED=true 启动服务器。",
  },
};
