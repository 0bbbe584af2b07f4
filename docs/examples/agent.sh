#!/bin/sh
# A whole agent in POSIX shell, curl and awk: it registers, says that it lives, reports one service,
# and runs its action `echo`, which answers what it was sent: see ../agent-protocol.md.
#   PLATFORM_URL=http://127.0.0.1:8080 PLATFORM_REGISTRATION_TOKEN=platform_reg_… ./agent.sh
# It keeps its token and the command in hand in AGENT_DIR: one folder, one running agent.
set -eu; umask 077 # what it writes is nobody else's to read
url=${PLATFORM_URL:?is not set: where is the server?} code=${AGENT_CODE:-shell-1}
dir=${AGENT_DIR:-./shell-agent} child='' refused=''
mkdir -p "$dir"
say() { printf '%s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$*" >&2; }
die() { say "$@" && exit 1; }
trap leave INT TERM
leave() { # ends what is waited for, and says goodbye: once, and without waiting long
  trap '' INT TERM && set +eu && say 'asked to end'
  [ "$child" != new ] || child=$!
  [ -z "$child" ] || kill -9 "$child" 2>/dev/null # a new process can lose a TERM, which is trapped here
  [ ! -s "$dir/token" ] || curl -s -m 3 -X POST -H "@$dir/token" \
    -H 'Content-Type: application/json' -d '{}' -o "$dir/answer" "$url/api/agents/offline"
  exit 0
}
# run COMMAND …: a signal is heard while it runs
run() { child=new; "$@" & child=$! && { wait "$child" || :; } && child=''; }

# json 2 agentId: the JSON behind the first key of that name, so many brackets deep, as it came.
# A string is one token, whatever is in it; each token gets a line: a string has no line ends.
json() {
  LC_ALL=C awk -v wanted="$1" -v key="\"$2\":" '{ text = text $0 } END {
    gsub(/"([^"\\]|\\.)*":?|[][{},]/, "\n&\n", text)
    for (n = split(text, token, "\n"); i++ < n; depth += (t ~ /^[[{]/) - (t ~ /^[]}]/)) {
      t = token[i]
      if (found) { if (depth == wanted && t ~ /^[]},]/) exit; printf "%s", t }
      if (depth == wanted && t == key) found = 1
    } }' "$dir/answer"
}
word() { json "$@" | tr -cd 'A-Za-z0-9_'; } # an id, a token, a number: without quotes, and no more

# request AUTH METHOD PATH [BODY]: asks until it is answered; 1 for what asking again cannot mend.
request() { # secrets and bodies go by files: everybody can see a command line
  auth=$1 method=$2 path=$3 delay=1 && shift 3 && printf '%s' "${1-}" >"$dir/body"
  [ $# -eq 0 ] || set -- -H 'Content-Type: application/json' --data-binary "@$dir/body"
  while : >"$dir/answer" >"$dir/headers"; do
    run curl -s -m 60 -X "$method" -H "@$dir/$auth" "$@" -D "$dir/headers" -o "$dir/answer" \
      -w '%{http_code}' "$url/api/agents$path" >"$dir/status"
    status=$(cat "$dir/status")
    case $status in
      2??) return 0 ;;
      403) [ "$(word 2 code)" = AGENT_DISABLED ] || return 1
        say "turned away, asking again in 30 s: $(json 2 message)" && after=30 ;;
      000 | 429 | 5??) [ "$delay" -gt 1 ] || say "no answer from the server ($status), trying again"
        after=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$dir/headers") ;;
      *) return 1 ;;
    esac # full jitter: anything up to a bound that doubles
    : "${after:=$(awk "BEGIN { srand(); srand(srand() + $$); print 1 + int(rand() * $delay) }")}"
    run sleep "$after" && delay=$((delay < 30 ? delay * 2 : 30))
  done
}
must() { request "$@" || die "$2 $3 was refused ($status): $(json 2 message)${hint-}"; }
failure() { printf '{"success":false,"error":{"code":"%s","message":"%s"}}' "$1" "$2"; }
answer() { # COMMAND RESULT: sent until it is taken; 404, 409: ended without us
  request token POST "/commands/$1/result" "$2" || [ "$status" = 404 ] ||
    [ "$status" = 409 ] || must token POST "$path" "$(failure RESULT_REFUSED "Refused: $status.")"
  say "$path: sent"
}
finish() { # RESULT: of the command in hand; on disk before it is sent
  printf '%s' "$1" >"$dir/new" && mv "$dir/new" "$dir/result"
  answer "$(cat "$dir/command")" "$1" && rm -f "$dir/command" "$dir/result"
}

if [ ! -s "$dir/token" ]; then
  printf 'Authorization: Bearer %s\n' "${PLATFORM_REGISTRATION_TOKEN:?is not set}" >"$dir/invitation"
  must invitation POST /register '{"agent":{"code":"'"$code"'","mode":"sidecar"}}'
  printf 'Authorization: Bearer %s\n' "$(word 2 agentToken)" >"$dir/new" && rm "$dir/invitation"
  mv "$dir/new" "$dir/token" && say "registered as $(word 2 agentId)"
fi
hint=" To register again: remove $dir/token, and set PLATFORM_REGISTRATION_TOKEN to a new one."
[ ! -s "$dir/command" ] || [ -s "$dir/result" ] || # of an earlier life: it is told, not run again
  failure AGENT_RESTARTED 'The agent ended while it ran.' >"$dir/result"
[ ! -s "$dir/command" ] || finish "$(cat "$dir/result")"
while must token POST /heartbeat '{}'; do
  seconds=$(word 2 heartbeatIntervalSeconds)
  # Cancelled, and its delivery was lost: an echo is over at once, so there is never one to stop.
  for id in $(json 2 cancelled | tr -c 'A-Za-z0-9_' ' '); do
    answer "$id" "$(failure COMMAND_CANCELLED 'It was never started.')"
  done
  must token POST /services '{"services":[{"code":"'"$code-echo"'","name":"Echo","version":"1.0.0",
    "healthStatus":"UP","actions":[{"name":"echo","description":"Answers what it was sent"}]}]}'
  rejected=$(json 2 rejected) # another agent has the service: told when it changes, and reported on
  [ "$rejected" = "$refused" ] || say "services that the server refuses: ${rejected:-none}"
  refused=$rejected
  must token GET "/commands?limit=1&held=&wait=$((seconds < 25 ? seconds : 25))"
  id=$(word 4 id)
  if [ -z "$id" ]; then run sleep 1; continue; fi # a poll may end before its time
  rm -f "$dir/result" && printf '%s' "$id" >"$dir/command" # known before it runs
  case $(word 4 type):$(json 4 action) in
    ACTION_EXECUTE:'"echo"') finish '{"success":true,"output":'"$(json 4 payload)"'}' ;;
    ACTION_PREPARE:'"echo"') finish '{"success":true,"output":{}}' ;;
    *) finish "$(failure ACTION_UNKNOWN 'It can only echo.')" ;;
  esac
done
