// The fleet on the pictures: a small company that sells books. Agents with their services, some of them
// not well.

export interface Sample {
  code: string;
  name: string;
  /** Of the agent's last sign of life; absent: it lives. */
  silentMinutes?: number;
  services: [code: string, name: string, health?: string, message?: string][];
}

const shop: Sample[] = [
  {
    code: "web-1",
    name: "Web server 1, Berlin",
    services: [
      ["shop-web-1", "Shop, front end"],
      ["shop-api-1", "Shop, API"],
      ["search-gateway-1", "Search gateway"],
      ["image-resizer-1", "Cover images"],
      ["nginx-1", "Reverse proxy"],
    ],
  },
  {
    code: "web-2",
    name: "Web server 2, Berlin",
    services: [
      ["shop-web-2", "Shop, front end"],
      ["shop-api-2", "Shop, API", "DEGRADED", "p95 is 2.4 s, above 1 s for 5 minutes"],
      ["search-gateway-2", "Search gateway"],
      ["image-resizer-2", "Cover images"],
      ["nginx-2", "Reverse proxy"],
    ],
  },
  {
    code: "db-1",
    name: "Databases, Berlin",
    services: [
      ["orders-db", "Orders, database"],
      ["catalog-db", "Catalog, database"],
      ["customers-db", "Customers, database"],
      ["session-cache", "Session cache"],
    ],
  },
  {
    code: "db-2",
    name: "Database replicas, Gdańsk",
    services: [
      ["orders-db-replica", "Orders, replica", "DOWN", "replication stopped 12 minutes ago"],
      ["catalog-db-replica", "Catalog, replica"],
      ["customers-db-replica", "Customers, replica"],
    ],
  },
  {
    code: "search-1",
    name: "Search",
    services: [
      ["search-index", "Search index"],
      ["search-indexer", "Indexer"],
      ["suggestions", "Suggestions"],
      ["spelling", "Spelling"],
    ],
  },
];

const orders: Sample[] = [
  {
    code: "orders-1",
    name: "Orders and payments",
    services: [
      ["order-intake", "Order intake"],
      ["order-flow", "Order flow"],
      ["payments", "Payments"],
      ["invoices", "Invoices"],
      ["refunds", "Refunds"],
      ["fraud-check", "Fraud check", "WARMING_UP"],
    ],
  },
  {
    code: "warehouse-berlin",
    name: "Warehouse Berlin",
    services: [
      ["stock-berlin", "Stock"],
      ["picking-berlin", "Picking lists"],
      ["labels-berlin", "Parcel labels"],
      ["conveyor-berlin", "Conveyor belt"],
      ["scales-berlin", "Scales"],
    ],
  },
  {
    code: "warehouse-gdansk",
    name: "Warehouse Gdańsk",
    silentMinutes: 95,
    services: [
      ["stock-gdansk", "Stock"],
      ["picking-gdansk", "Picking lists"],
      ["labels-gdansk", "Parcel labels"],
      ["scales-gdansk", "Scales"],
    ],
  },
  {
    code: "mail-1",
    name: "Mail",
    services: [
      ["newsletter", "Newsletter"],
      ["order-mail", "Order mail"],
      ["bounces", "Bounces"],
      ["mail-relay", "Relay"],
    ],
  },
];

const office: Sample[] = [
  {
    code: "office",
    name: "Office",
    services: [
      ["files", "Files"],
      ["print-server", "Printers", "DOWN", "queue of printer 2 does not move"],
      ["door-badges", "Door badges"],
      ["wiki", "Wiki"],
    ],
  },
  {
    code: "analytics-1",
    name: "Analytics",
    services: [
      ["events-collector", "Page events"],
      ["nightly-reports", "Nightly reports"],
      ["dashboards", "Dashboards"],
      ["recommendations", "Recommendations"],
    ],
  },
  {
    code: "build-1",
    name: "Builds",
    services: [
      ["git-mirror", "Git mirror"],
      ["build-queue", "Build queue"],
      ["artifacts", "Artifacts"],
      ["test-runner", "Test runner"],
    ],
  },
  {
    code: "shop-stockholm",
    name: "Bookshop Stockholm",
    silentMinutes: 400,
    services: [
      ["till-1-stockholm", "Till 1"],
      ["till-2-stockholm", "Till 2"],
      ["music-stockholm", "Music"],
    ],
  },
  {
    code: "backup-1",
    name: "Backups",
    services: [
      ["backup-databases", "Backups of databases"],
      ["backup-files", "Backups of files"],
      ["backup-verifier", "Trial restores"],
      ["backup-offsite", "Off-site copies"],
      ["backup-pruner", "Pruning"],
    ],
  },
];

export const fleet: Sample[] = [...shop, ...orders, ...office];

/** What services can do, by a part of their code. */
export const actions = {
  restart: {
    name: "restart",
    label: "Restart",
    description: "Stops the service and starts it again. Open requests get half a minute to end.",
    dangerLevel: "HIGH" as const,
    inputSchema: {
      type: "object",
      properties: {
        graceSeconds: {
          type: "integer",
          title: "Grace period in seconds",
          minimum: 0,
          maximum: 600,
          default: 30,
        },
      },
    },
  },
  reindex: {
    name: "reindex",
    label: "Rebuild the index",
    description: "Reads all books of some languages anew. Searching goes on meanwhile.",
    dangerLevel: "MEDIUM" as const,
    inputSchema: {
      type: "object",
      required: ["languages", "mode"],
      properties: {
        mode: {
          type: "string",
          title: "How",
          enum: ["changed", "everything"],
          default: "changed",
        },
        languages: {
          type: "array",
          title: "Languages",
          minItems: 1,
          uniqueItems: true,
          items: { type: "string", enum: ["de", "en", "pl", "sv"] },
        },
        batchSize: {
          type: "integer",
          title: "Books at once",
          minimum: 1,
          maximum: 5000,
          default: 500,
        },
        notify: { type: "boolean", title: "Send a message when it is done", default: true },
      },
    },
  },
  clearCache: {
    name: "clear-cache",
    label: "Clear cache",
    description: "Empties the service's cache.",
    dangerLevel: "LOW" as const,
    inputSchema: { type: "object", properties: {} },
  },
};
