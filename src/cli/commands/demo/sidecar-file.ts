// The demo's agent.yaml. With it, a sidecar manages the log collector through its HTTP API.

import { levels } from "./collector.ts";

export interface SidecarFileOptions {
  server: string;
  collector: string;
}

export function sidecarFile({ server, collector }: SidecarFileOptions): string {
  return `server: ${server}
agent:
  code: edge-1
  name: Edge host 1
  version: 1.0.0
  labels: { site: demo }
stateDir: agent-state

services:
  - code: log-collector
    name: Log collector
    description: Appends the lines that it receives to files
    version:
      http: { url: "${collector}/health", pointer: /version }
    health:
      http: { url: "${collector}/health", pointer: /status, equals: UP }
      interval: 0.5
      timeout: 2s
      failureThreshold: 2
    configs:
      - { key: endpoint, type: url, value: "${collector}" }
    actions:
      - name: rotate-log
        label: Rotate a log file
        description: Renames the file and starts a new one
        dangerLevel: HIGH
        timeout: 30s
        inputSchema:
          type: object
          required: [file]
          properties:
            file: { type: string, title: File }
        # The collector knows which files exist, and returns a form.
        prepare:
          http: { url: "${collector}/forms/rotate" }
        execute:
          http: { url: "${collector}/files/\${payload.file}/rotate" }

      - name: set-level
        label: Set the level
        description: Lines below it are dropped
        dangerLevel: MEDIUM
        timeout: 10s
        inputSchema:
          type: object
          required: [level]
          properties:
            level: { type: string, enum: [${levels.join(", ")}], default: info }
        prepare:
          http: { url: "${collector}/forms/level" }
        execute:
          http: { method: PUT, url: "${collector}/level" }

      - name: tail
        label: Show the last lines
        description: Reads the end of a log file
        timeout: 10s
        inputSchema:
          type: object
          required: [file]
          properties:
            file: { type: string, title: File }
            lines: { type: integer, minimum: 1, maximum: 100, default: 10 }
        execute:
          http: { method: GET, url: "${collector}/files/\${payload.file}?lines=\${payload.lines}" }
`;
}
