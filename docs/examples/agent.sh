#!/bin/sh
# A complete agent in POSIX shell, with curl and awk. It registers, sends heartbeats, reports one service
# and runs the action `echo` of the service, which returns its payload. See ../reference/agent-protocol.md.
#   PLATFORM_URL=http://127.0.0.1:8080 PLATFORM_REGISTRATION_TOKEN=platform_reg_… ./agent.sh
# It keeps its token and unfinished commands in AGENT_DIR, but no ids of ended ones. Run only one agent per folder.
set -eu; umask 077 # its files are private
url=${PLATFORM_URL:?is not set: set it to the URL of the server} code=${AGENT_CODE:-shell-1}
dir=${AGENT_DIR:-./shell-agent} child='' refused='' && mkdir -p "$dir"
say() { printf '%s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$*" >&2; }
die() { say "$@" && exit 1; }
trap leave INT TERM
leave() { # stops the current wait, and goes offline: one call with a short timeout
  trap '' INT TERM && set +eu && say 'stopping'
  [ "$child" != new ] || child=$!
  [ -z "$child" ] || kill -9 "$child" 2>/dev/null # TERM is trapped here, so a new process can miss it
  [ ! -s "$dir/token" ] || curl -s -m 3 -X POST -H "@$dir/token" \
    -H 'Content-Type: application/json' -d '{}' -o "$dir/answer" "$url/api/agents/offline"
  exit 0
}
# run COMMAND …: handles signals while the command runs
run() { child=new; "$@" & child=$! && { wait "$child" || :; } && child=''; }

# json 2 agentId: the raw JSON value of the first key with that name at that bracket depth.
# A string is one token, whatever it contains. Each token gets its own line: JSON strings contain no line breaks.
json() {
  LC_ALL=C awk -v wanted="$1" -v key="\"$2\":" '{ text = text $0 } END {
    gsub(/"([^"\\]|\\.)*":?|[][{},]/, "\n&\n", text)
    for (n = split(text, token, "\n"); i++ < n; depth += (t ~ /^[[{]/) - (t ~ /^[]}]/)) {
      t = token[i]
      if (found) { if (depth == wanted && t ~ /^[]},]/) exit; printf "%s", t }
      if (depth == wanted && t == key) found = 1
    } }' "$dir/answer"
}
word() { json "$@" | tr -cd 'A-Za-z0-9_'; } # an id, a token or a number, without quotes

# request AUTH METHOD PATH [BODY]: retries until it succeeds; returns 1 if a retry cannot help.
request() { # passes secrets and bodies in files: any user can see a command line
  auth=$1 method=$2 path=$3 delay=1 && shift 3 && printf '%s' "${1-}" >"$dir/body"
  [ $# -eq 0 ] || set -- -H 'Content-Type: application/json' --data-binary "@$dir/body"
  while : >"$dir/answer" >"$dir/headers"; do
    run curl -s -m 60 -X "$method" -H "@$dir/$auth" "$@" -D "$dir/headers" -o "$dir/answer" \
      -w '%{http_code}' "$url/api/agents$path" >"$dir/status"
    status=$(cat "$dir/status")
    case $status:$(word 2 code) in
      2??:*) return 0 ;;
      403:AGENT_DISABLED | 421:?*) say "refused, retrying in 30 s: $(json 2 message)" && after=30 ;;
      400:[!I]* | 400:*JSON | 401:?* | 40[39]:REGISTRATION* | 409:AGENT_CODE* | 40[49]:COMMAND* | 413:?* | 422:?*) return 1 ;;
      *) # without a code, it is from a proxy
        [ "$delay" -gt 1 ] || say "no success ($status), retrying" "$(json 2 message)"
        after=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$dir/headers") ;;
    esac # full jitter: a random delay up to a bound that doubles
    : "${after:=$(awk "BEGIN { srand(); srand(srand() + $$); print 1 + int(rand() * $delay) }")}"
    run sleep "$after" && delay=$((delay < 30 ? delay * 2 : 30))
  done
}
must() { request "$@" || die "$2 $3 was refused ($status): $(json 2 message)${hint-}"; }
failure() { printf '{"success":false,"error":{"code":"%s","message":"%s"}}' "$1" "$2"; }
finish() { # COMMAND RESULT: writes the result to disk, then sends it until the server has it
  printf '%s' "$2" >"$dir/new" && mv "$dir/new" "$dir/$1"
  request token POST "/commands/$1/result" "$2" || case $(word 2 code) in
    COMMAND_NOT_FOUND | COMMAND_ALREADY_COMPLETED) ;; # dropped: the command is unknown or has ended
    COMMAND_NOT_RUNNING) say "$path: kept until the command is delivered again" && return ;;
    *) must token POST "$path" "$(failure RESULT_REFUSED "Refused: $status.")" ;;
  esac
  rm "$dir/$1" && say "$path: sent"
}

if [ ! -s "$dir/token" ]; then
  printf 'Authorization: Bearer %s\n' "${PLATFORM_REGISTRATION_TOKEN:?is not set}" >"$dir/invitation"
  must invitation POST /register '{"agent":{"code":"'"$code"'","mode":"sidecar"}}'
  printf 'Authorization: Bearer %s\n' "$(word 2 agentToken)" >"$dir/new" && rm "$dir/invitation"
  mv "$dir/new" "$dir/token" && say "registered as $(word 2 agentId)"
fi
hint=" To register again: remove $dir/token, and set PLATFORM_REGISTRATION_TOKEN to a new one."
for file in "$dir"/cmd_*; do # commands from before a restart: reported, not run again
  [ -e "$file" ] && result=$(cat "$file") || continue
  finish "${file##*/}" "${result:-$(failure AGENT_RESTARTED 'The agent ended while the command ran.')}"
done
while must token POST /heartbeat '{}'; do
  # For a day after the registration, an earlier program may have received the cancelled commands without a file.
  seconds=$(word 2 heartbeatIntervalSeconds) unknown=$(find "$dir/token" -mtime -1 -exec echo AGENT_RESTARTED \;)
  for id in $(json 2 cancelled | tr -c 'A-Za-z0-9_' ' '); do # no echo runs long enough to be stopped
    finish "$id" "$(cat "$dir/$id" 2>/dev/null || failure "${unknown:-COMMAND_CANCELLED}" 'Not started here.')"
  done
  must token POST /services '{"services":[{"code":"'"$code-echo"'","name":"Echo","version":"1.0.0",
    "healthStatus":"UP","actions":[{"name":"echo","description":"Returns its payload"}]}]}'
  rejected=$(json 2 rejected) # another agent owns the service: log each change, and keep reporting
  [ "$rejected" = "$refused" ] || say "services refused by the server: ${rejected:-none}"
  refused=$rejected
  must token GET "/commands?limit=1&held=&wait=$((seconds < 25 ? seconds : 25))"
  id=$(word 4 id)
  if [ -z "$id" ]; then run sleep 1; continue; fi # a poll can end early
  if [ -s "$dir/$id" ]; then finish "$id" "$(cat "$dir/$id")"; continue; fi
  : >"$dir/$id" # recorded before it runs
  case $(word 4 type):$(json 4 action) in
    ACTION_EXECUTE:'"echo"') finish "$id" '{"success":true,"output":'"$(json 4 payload)"'}' ;;
    ACTION_PREPARE:'"echo"') finish "$id" '{"success":true,"output":{}}' ;;
    *) finish "$id" "$(failure ACTION_UNKNOWN 'This agent can only echo.')" ;;
  esac
done
