# Sourced by platform and platformctl, which set `self` to their own real path: finds the project
# and a Node that can run it, and becomes that Node. Says what to do when something is missing.

program=${self##*/}
root=$(CDPATH='' cd -P -- "${self%/*}/.." && pwd)

# True when the `node` on the PATH is 24.15 or newer.
suits() {
  version=$(node --version 2>/dev/null) || return 1
  version=${version#v}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ "$major" -gt 24 ] || { [ "$major" -eq 24 ] && [ "$minor" -ge 15 ]; }
} 2>/dev/null

# Where there is no pinned Node to install (macOS on Apple silicon), the machine's own may do.
if [ -x "$root/node_modules/.bin/node" ]; then
  node=$root/node_modules/.bin/node
elif [ -d "$root/node_modules" ] && suits; then
  node=node
else
  cat >&2 <<MESSAGE
$program: not installed yet. Run this once, then try again:
  cd "$root" && npm ci
It brings its own Node.js, except on macOS with Apple silicon, which needs Node.js 24.15 or newer.
MESSAGE
  exit 1
fi

# Compiled sources are kept: the second start takes half the time of the first.
: "${NODE_COMPILE_CACHE:=$root/node_modules/.cache/platform}"
export NODE_COMPILE_CACHE

# Loading makes much garbage at once: room for it spares a short command a tenth of its time.
young=
[ "$program" != platformctl ] || young=--min-semi-space-size=16

exec "$node" $young --disable-warning=ExperimentalWarning "$root/src/main.ts" "--program=$program" "$@"
