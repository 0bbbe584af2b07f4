#!/bin/sh
# npm run test:deb [-- PACKAGE]: installs, runs, upgrades and removes the Debian package in a
# temporary overlay of this machine's file system. Nothing is visible outside, and nothing remains.
set -eu

say() {
  echo "$*" >&2
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
project=$(CDPATH='' cd -- "$here/../.." && pwd)
architecture=$(dpkg --print-architecture 2>/dev/null) || {
  say "This requires dpkg. Run it on Debian or Ubuntu."
  exit 2
}

if [ "$(id -u)" != 0 ]; then
  say "This must run as root to create a temporary file system: sudo npm run test:deb"
  exit 2
fi
for tool in unshare mount chroot ip setpriv; do
  command -v "$tool" >/dev/null || {
    say "This requires $tool (Debian: apt-get install util-linux mount coreutils iproute2)."
    exit 2
  }
done
if dpkg-query --show platform >/dev/null 2>&1; then
  say "The package platform is installed on this machine. Run this on another machine."
  exit 2
fi

package=${1:-}
for file in "$project"/dist/platform_*_"$architecture".deb; do
  package=${package:-$file}
done
if [ ! -f "$package" ]; then
  say "There is no package: run \`npm run package && npm run package:deb\` first, or name one."
  exit 2
fi

# Mounts are visible only inside the namespace.
work=$(mktemp -d)
trap 'rmdir "$work"' EXIT
export work here project package
unshare --mount --net --ipc --pid --fork --kill-child --propagation private sh -eu -c '
  mount -t tmpfs -o mode=0755 platform-try "$work"
  mkdir "$work/upper" "$work/overlay" "$work/root"
  mount -t overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/overlay" overlay "$work/root" || {
    echo "This requires overlayfs on /, which this system refuses. Run it on a physical or virtual machine." >&2
    exit 2
  }
  cd "$work/root"
  # This changes only the temporary copy. An earlier installation on this machine remains unchanged.
  rm -rf etc/platform var/lib/platform var/lib/platform-agent var/cache/platform var/backups/platform
  mount -t proc proc proc
  mount --rbind /dev dev
  mount -t tmpfs -o mode=0755 tmpfs run
  mount -t tmpfs -o mode=1777 tmpfs tmp
  ip link set lo up
  mkdir tmp/try
  cp "$here/try-steps.sh" "$project/test/upgrades/schema-0001/"* tmp/try
  cp "$package" tmp/try/older.deb
  exec chroot . env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    DEBIAN_FRONTEND=noninteractive sh /tmp/try/try-steps.sh
'
