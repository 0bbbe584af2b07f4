// The fleet in the screenshots: the agents and services of a small bookshop company.

export interface Sample {
  code: string;
  name: string;
  /** Minutes since the agent's last heartbeat; absent if the agent is online. */
  silentMinutes?: number;
  services: [code: string, name: string, health?: string, message?: string][];
}

/**
 * Each agent has a code, a name and, if it is offline, the minutes since its last heartbeat. Below
 * it, each service has a code, a name, a health and a message.
 */
const samples = `
web-1 | Web server 1, Berlin
  shop-web-1 | Shop, front end
  shop-api-1 | Shop, API
  search-gateway-1 | Search gateway
  image-resizer-1 | Cover images
  nginx-1 | Reverse proxy
web-2 | Web server 2, Berlin
  shop-web-2 | Shop, front end
  shop-api-2 | Shop, API | DEGRADED | p95 is 2.4 s, above 1 s for 5 minutes
  search-gateway-2 | Search gateway
  image-resizer-2 | Cover images
  nginx-2 | Reverse proxy
db-1 | Databases, Berlin
  orders-db | Orders, database
  catalog-db | Catalog, database
  customers-db | Customers, database
  session-cache | Session cache
db-2 | Database replicas, Gdańsk
  orders-db-replica | Orders, replica | DOWN | replication stopped 12 minutes ago
  catalog-db-replica | Catalog, replica
  customers-db-replica | Customers, replica
search-1 | Search
  search-index | Search index
  search-indexer | Indexer
  suggestions | Suggestions
  spelling | Spelling
orders-1 | Orders and payments
  order-intake | Order intake
  order-flow | Order flow
  payments | Payments
  invoices | Invoices
  refunds | Refunds
  fraud-check | Fraud check | WARMING_UP
warehouse-berlin | Warehouse Berlin
  stock-berlin | Stock
  picking-berlin | Picking lists
  labels-berlin | Parcel labels
  conveyor-berlin | Conveyor belt
  scales-berlin | Scales
warehouse-gdansk | Warehouse Gdańsk | 95
  stock-gdansk | Stock
  picking-gdansk | Picking lists
  labels-gdansk | Parcel labels
  scales-gdansk | Scales
mail-1 | Mail
  newsletter | Newsletter
  order-mail | Order mail
  bounces | Bounces
  mail-relay | Relay
office | Office
  files | Files
  print-server | Printers | DOWN | queue of printer 2 does not move
  door-badges | Door badges
  wiki | Wiki
analytics-1 | Analytics
  events-collector | Page events
  nightly-reports | Nightly reports
  dashboards | Dashboards
  recommendations | Recommendations
build-1 | Builds
  git-mirror | Git mirror
  build-queue | Build queue
  artifacts | Artifacts
  test-runner | Test runner
shop-stockholm | Bookshop Stockholm | 400
  till-1-stockholm | Till 1
  till-2-stockholm | Till 2
  music-stockholm | Music
backup-1 | Backups
  backup-databases | Backups of databases
  backup-files | Backups of files
  backup-verifier | Trial restores
  backup-offsite | Off-site copies
  backup-pruner | Pruning
`;

export const fleet: Sample[] = samples
  .trim()
  .split(/\n(?! )/)
  .map((text) => {
    const [agent = "", ...services] = text.split("\n").map((line) => line.trim().split(" | "));
    const [code = "", name = "", minutes] = agent;
    return {
      code,
      name,
      ...(minutes ? { silentMinutes: Number(minutes) } : {}),
      services: services as Sample["services"],
    };
  });

export const actions = {
  restart: {
    name: "restart",
    label: "Restart",
    description:
      "Stops the service and starts it again. Open requests have half a minute to finish.",
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
    description: "Reads all books in some languages again. Search remains available.",
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
    description: "Clears the service's cache.",
    dangerLevel: "LOW" as const,
    inputSchema: { type: "object", properties: {} },
  },
};
