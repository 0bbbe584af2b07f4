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

# A checkout runs its sources; an installed package has none, and its Node is where npm put it.
modules=$root/node_modules
if [ -f "$root/src/main.ts" ]; then
  main=$root/src/main.ts
  # That Node takes the types out of the sources by itself is new enough for it to say so.
  flags=--disable-warning=ExperimentalWarning
  install="not installed yet. Run this once, then try again:
  cd \"$root\" && npm ci
It brings its own Node.js, except on macOS with Apple silicon, which needs"
else
  main=$root/dist/main.js
  flags=
  install="it needs"
  case ${root%/*} in */node_modules) modules=${root%/*} ;; esac
fi

# Where there is no pinned Node to install (macOS on Apple silicon), the machine's own may do.
if [ -x "$modules/.bin/node" ]; then
  node=$modules/.bin/node
elif [ -d "$modules" ] && suits; then
  node=node
else
  echo "$program: $install Node.js 24.15 or newer." >&2
  exit 1
fi

# Compiled sources are kept: the second start takes half the time of the first.
: "${NODE_COMPILE_CACHE:=$modules/.cache/platform}"
export NODE_COMPILE_CACHE

# Else a signal opens the debugger.
flags="--disable-sigusr1 $flags"

# Loading makes much garbage at once: room for it spares a short command a tenth of its time.
[ "$program" != platformctl ] || flags="--min-semi-space-size=16 $flags"

exec "$node" $flags "$main" "--program=$program" "$@"
