import type { Texts } from "../index.ts";

export const csv: Texts["csv"] = {
  download: "下载 CSV",
  cutOff: "下载中断，未保存任何内容。请重试。",
};
