import type { Case } from "./case.ts";

export const listedActions: Case = {
  words: () => ["log-collector"],
  route: "services.get",
  printsPart: true,
  same: async (api) => {
    const { data } = await api.page("services.list", { query: { q: "log-collector" } });
    const params = { serviceId: data[0]?.id ?? "" };
    return (await api.call("services.get", { params })).actions;
  },
};

export const actionCatalog: Record<string, Case> = { "actions list": listedActions };
