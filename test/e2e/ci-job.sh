#!/usr/bin/env bash
# A CI job as a user would write it: registers an agent, waits for its service, runs actions, and
# checks the result and the exit status of each command.
#
# Requires PLATFORM_URL, PLATFORM_API_KEY (with the operator role), platform, platformctl and jq.
set -euo pipefail
: "${PLATFORM_URL:?}" "${PLATFORM_API_KEY:?}"

work=$(mktemp -d)
programs=()

cleanup() {
  for program in ${programs[@]+"${programs[@]}"}; do
    kill "$program" 2>/dev/null && wait "$program" || true
  done
  rm -rf "$work"
}
trap cleanup EXIT

step() {
  printf '\n== %s\n' "$*"
}

# ends STATUS COMMAND…: runs the command, and fails unless it exits with STATUS. The output is stored
# in $work/out and $work/err.
ends() {
  local wanted=$1 status=0
  shift
  "$@" >"$work/out" 2>"$work/err" || status=$?
  printf '%s -> %s\n' "$*" "$status"
  if ((status != wanted)); then
    printf 'not %s:\n' "$wanted" >&2
    cat "$work/out" "$work/err" >&2
    exit 1
  fi
}

# holds FILTER: fails unless the jq filter is true for the JSON that the previous command printed.
holds() {
  if ! jq -e "$1" "$work/out" >"$work/held"; then
    printf 'does not hold: %s\n' "$1" >&2
    cat "$work/out" >&2
    exit 1
  fi
}

step "The server is up and accepts the API key"
ends 0 platformctl agents list -o json

step "An agent registers with a new token and reports a service"
platform demo-collector --dir "$work/logs" >"$work/collector" &
programs+=($!)
until [ -s "$work/collector" ]; do sleep 0.1; done
collector=$(cat "$work/collector")

token=$(platformctl tokens create --name "ci job" --expires 1h -o json | jq -r .token)
cat >"$work/agent.yaml" <<END
server: $PLATFORM_URL
agent: { code: edge-1 }
stateDir: agent-state
services:
  - code: log-collector
    name: Log collector
    version: 1.0.0
    health:
      http: { url: "$collector/health", pointer: /status, equals: UP }
    actions:
      - name: tail
        inputSchema:
          type: object
          required: [file]
          properties: { file: { type: string }, lines: { type: integer, default: 10 } }
        execute:
          http: { method: GET, url: "$collector/files/\${payload.file}?lines=\${payload.lines}" }
      - name: hang
        execute: { exec: { command: [tail, -f, /dev/null] } }
END
PLATFORM_REGISTRATION_TOKEN=$token platform agent run --config "$work/agent.yaml" 2>"$work/agent.log" &
programs+=($!)
ends 0 platformctl services wait log-collector --timeout 60s

step "An action that works"
printf 'INFO %s\n' one two three >"$work/logs/app.log"
ends 0 platformctl actions run log-collector tail --set file=app.log --set lines=2 -o json
holds '.result.output.lines == ["INFO two", "INFO three"]'

step "An action that fails"
ends 1 platformctl actions run log-collector tail --set file=gone.log -o json
holds '.status == "FAILED" and .errorCode == "FILE_GONE"'

step "An action that does not end in time is cancelled"
ends 8 platformctl actions run log-collector hang --timeout 1s -o json
cp "$work/out" "$work/result.json"
jq -r '.id | select(startswith("cmd_"))' "$work/result.json" | ends 0 xargs -r platformctl commands cancel -o json
holds '.status == "CANCELLED"'

step "An action that is still being prepared or waits for approval leaves nothing to cancel"
for result in '' '{ "id": "apr_01M7ZD9QZZ0000000000000001" }'; do
  jq -r '.id | select(startswith("cmd_"))' <<<"$result" | ends 0 xargs -r false
done

step "The agent's token is revoked, so the agent cannot come back"
ends 0 platformctl agents revoke-token edge-1 --yes -o json
holds '.token == null'

step "Done"
