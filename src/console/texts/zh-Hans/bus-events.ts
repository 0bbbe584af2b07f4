import type { Texts } from "../index.ts";

export const busEvents: Texts["busEvents"] = {
  event: "事件",
  received: "接收时间",
  source: "来源",
  subject: "对象",
  route: "路由",
  routeGone: (name) => `${name}（已删除）`,
  outcome: "处理结果",
  noOutcome: "无匹配的路由",
  command: "命令",
  depth: "深度",
  depths: {
    0: "0：由总线外部发布",
    1: "1：由总线事件或总线创建的命令引发",
  },
  sourceEventId: "发布方 ID",
  causation: "起因",
  correlation: "关联 ID",
  envelope: "事件信封",
  test: {
    title: "用此事件测试路由",
    lead: "测试不会更改任何内容，也不会创建命令。",
    open: "打开测试",
    create: "根据此事件新建路由",
  },
};
