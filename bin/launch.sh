# platform and platformctl source this file, after setting `self` to their own real path. It finds
# the project and a suitable Node.js, and replaces the shell with that Node.js.

program=${self##*/}
root=$(CDPATH='' cd -P -- "${self%/*}/.." && pwd)

# True if the `node` on the PATH is 24.16 or newer.
suits() {
  version=$(node --version 2>/dev/null) || return 1
  version=${version#v}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ "$major" -gt 24 ] || { [ "$major" -eq 24 ] && [ "$minor" -ge 16 ]; }
} 2>/dev/null

# A checkout runs its sources. An installed package has no sources, and npm decides where its
# Node.js is.
modules=$root/node_modules
if [ -f "$root/src/main.ts" ]; then
  main=$root/src/main.ts
  # Every suitable Node.js runs TypeScript, but prints a warning. npm installs no links in the paths
  # of modules, so Node.js need not look for links in the path of each file.
  flags="--disable-warning=ExperimentalWarning --preserve-symlinks"
  install="not installed yet. Run this once, then try again:
  cd \"$root\" && npm ci
It brings its own Node.js, except on macOS with Apple silicon, which needs"
else
  main=$root/dist/main.cjs
  if [ ! -f "$main" ]; then
    echo "$program: this package was made without its build. Make it with \`npm run package:npm\`." >&2
    exit 1
  fi
  flags=
  install="it needs"
  case ${root%/*} in */node_modules) modules=${root%/*} ;; esac
fi

# npm before 11.6 removes the link in .bin when it leaves out the packages of other platforms.
node=
for pinned in "$modules/.bin/node" "$modules"/node-*/bin/node; do
  if [ -z "$node" ] && [ -x "$pinned" ]; then node=$pinned; fi
done

# No Node.js is pinned for macOS on Apple silicon, so the machine's own is used if it is new enough.
if [ -z "$node" ]; then
  if [ -d "$modules" ] && suits; then
    node=node
  else
    echo "$program: $install Node.js 24.16 or newer." >&2
    exit 1
  fi
fi

# Keeps compiled sources, which halves the time of later starts.
: "${NODE_COMPILE_CACHE:=$modules/.cache/platform}"
export NODE_COMPILE_CACHE

# Without this flag, SIGUSR1 would open the debugger.
flags="--disable-sigusr1 $flags"

# Loading modules creates much garbage, so a larger young generation saves a short command a tenth
# of its time. For a server, it is limited, because more memory would not make the server faster.
# (docs/decisions/0015-limits-on-clients.md)
case $program in
platformctl) flags="--min-semi-space-size=16 $flags" ;;
*) flags="--max-semi-space-size=8 $flags" ;;
esac

exec "$node" $flags "$main" "--program=$program" "$@"
