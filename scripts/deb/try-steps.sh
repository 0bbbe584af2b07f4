#!/bin/sh
# The steps of try.sh, which run inside its temporary file system. Never start this script by hand.
# /tmp/try contains the package (older.deb) and a database with schema 1.
set -u
cd /tmp/try || exit 2
unit=/usr/lib/systemd/system/platform.service
data=/var/lib/platform
failed=0
count=0

title() {
  printf '\n%s\n' "$*"
}

# The other arguments are a command, whose output is shown if it fails.
check() {
  what=$1
  shift
  count=$((count + 1))
  if "$@" >said 2>&1; then
    printf '  ok    %s\n' "$what"
  else
    failed=$((failed + 1))
    printf '  WRONG %s\n' "$what"
    sed 's/^/          /' said
  fi
}

says() {
  pattern=$1
  shift
  "$@" >answer 2>&1
  status=$?
  cat answer
  [ "$status" = 0 ] && grep -q -e "$pattern" answer
}

fails() {
  ! "$@"
}

is_gone() {
  [ ! -e "$1" ]
}

status_is() {
  [ "$(dpkg-query --show --showformat='${Status} ${Version}' platform)" = "$1" ]
}

from_unit() {
  sed -n "s/^$1=//p" "$unit"
}

# Starts the server as systemd does: with the unit's folders, user, environment and command.
start() {
  user=$(from_unit User)
  for folder in "/var/lib/$(from_unit StateDirectory)" "/var/cache/$(from_unit CacheDirectory)"; do
    install -d -o "$user" -g "$(from_unit Group)" -m 0700 "$folder"
  done
  settings=$(sed -n '/^[A-Z_]*=/p' "$(from_unit EnvironmentFile | sed 's/^-//')")
  cd "$(from_unit WorkingDirectory)" || return 1
  as_unit $(from_unit ExecStart) >>/tmp/try/server.log 2>&1 &
  server=$!
  cd /tmp/try || return 1
  (as_unit $(from_unit ExecStartPost | sed "s/\$MAINPID/$server/"))
}

# exec replaces the shell, so that the background process is the server itself.
as_unit() {
  exec setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --bounding-set=-all \
    env -i PATH=/usr/sbin:/usr/bin $(from_unit Environment) $settings "$@"
}

stop() {
  kill -TERM "$server" && wait "$server"
}

on_file() {
  runuser -u platform -- platformctl "$@" --db "$data/platform.db"
}

over_http() {
  PLATFORM_API_KEY=$key PLATFORM_URL=http://127.0.0.1:$port platformctl "$@"
}

# At its first start, the server responds before it has created the first owner.
owner_comes() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    on_file users list -o name | grep -x admin && return
    sleep 0.5
  done
  return 1
}

same_but_version() {
  dpkg-deb --raw-extract older.deb unpacked
  sed -i "s/^Version: .*/&+$1/" unpacked/DEBIAN/control
  dpkg-deb --root-owner-group -Znone --build unpacked "$1.deb"
  rm -r unpacked
}

copies() {
  find /var/backups/platform -type f | sort
}

title "Installed"
version=$(dpkg-deb --field older.deb Version)
check "dpkg installs the package and prints the next step" says "enable --now platform" dpkg --install older.deb
check "every file is installed as it was packed" dpkg --verify platform
# Debian writes 1.0.0-dev as 1.0.0~dev.
check "platform and platformctl print their version" \
  says "^$(echo "$version" | tr '~' -)" sh -c "platform --version; platformctl --version"
check "the users exist" id platform platform-agent
check "only root can read platform.env" says "^600 root" stat --format '%a %U' /etc/platform/platform.env
check "the man page exists" gzip --test /usr/share/man/man1/platform.1.gz
check "nothing was started" fails pgrep -x platform
check "systemd finds no problem in the units" \
  systemd-analyze verify "$unit" /usr/lib/systemd/system/platform-agent@.service

title "Server started by hand with the unit's settings"
port=8080
check "the server starts and is ready" start
check "the server runs as the user platform" says '^platform$' ps -o user= -p "$server"
check "the first owner is created" owner_comes
check "the first owner gets a password" sh -c \
  "echo 'seven blue teapots hum' | runuser -u platform -- platformctl users set-password admin --password-stdin --db $data/platform.db"
check "the first owner signs in" sh -c \
  "echo 'seven blue teapots hum' | HOME=/tmp/try platformctl login --username admin --password-stdin"
key=$(on_file api-keys create --name try --role owner -o json | sed -n 's/.*"key": "\(.*\)".*/\1/p')
check "the server accepts an API key" says UP over_http health
check "a registration token is created" over_http tokens create --name edge-7
check "every file in the data folder belongs to the server's user" \
  says '^0$' sh -c "find $data ! -user platform | wc -l"
check "the server stops with status 0" stop

title "Upgraded"
port=8181
echo "PLATFORM_PORT=$port" >>/etc/platform/platform.env
mkdir /var/backups/platform
for year in 2001 2002 2003; do touch "/var/backups/platform/${year}0101T000000Z-0.0.1.db"; done
same_but_version newer >/dev/null
check "dpkg installs the newer package and prints where the copy is" \
  says "the copy is /var/backups/platform/" dpkg --install newer.deb
check "the newer package is installed" status_is "install ok installed $version+newer"
check "the newest three copies are kept" says '^3$' sh -c "find /var/backups/platform -type f | wc -l"
copy=$(copies | tail -n 1)
check "only the user platform can read the copy" says '^600 platform' stat --format '%a %U' "$copy"
check "the copy is a complete backup with a valid audit trail" \
  runuser -u platform -- platform restore "$copy" --data-dir "$data" --dry-run
check "changed settings are kept" grep PLATFORM_PORT=8181 /etc/platform/platform.env
check "the server starts on the configured port" start
check "the server accepts the API key" over_http whoami
check "the server stops with status 0" stop
check "the copy is restored" runuser -u platform -- platform restore "$copy" --data-dir "$data" --yes
check "the server starts with the restored copy" start
check "the audit trail verifies" on_file audit verify
check "the server stops with status 0" stop

title "Upgrade with a database from an earlier program (schema 1)"
rm -r "${data:?}"/*
gzip --decompress --stdout platform.db.gz >"$data/platform.db"
cp audit.key session.key "$data"
chown platform:platform "$data"/*
chmod 0600 "$data"/*
key=$(sed -n 's/.*"apiKey": "\(.*\)".*/\1/p' facts.json)
same_but_version newest >/dev/null
check "dpkg installs the newest package and says that the server makes the copy" \
  says "copies the database before it migrates it" dpkg --install newest.deb
check "it starts" start
check "the database was copied before the first migration" test -s "$data/platform.db.before-0002"
check "the audit trail verifies" on_file audit verify
check "the server accepts the old database's API key" over_http whoami
check "the old database's agents are listed" says worker over_http agents list
check "the server stops with status 0" stop
check "the next upgrade makes a backup again" \
  says "the copy is /var/backups/platform/" dpkg --install newer.deb

title "An upgrade whose copy fails"
mv /var/backups/platform backups
touch /var/backups/platform
check "is refused" fails dpkg --install newest.deb
check "the previous package remains installed" status_is "install ok installed $version+newer"
check "the server of that package still starts" start
check "and stops" stop
export PLATFORM_UPGRADE_WITHOUT_BACKUP=yes
check "the upgrade works without a copy if requested" dpkg --install newest.deb
unset PLATFORM_UPGRADE_WITHOUT_BACKUP
rm /var/backups/platform
mv backups /var/backups/platform

title "Upgrade with a relative path and the audit key in another folder"
mv "$data/audit.key" /etc/platform
cat >>/etc/platform/platform.env <<'END'
PLATFORM_DATABASE_URL=file:./platform.db
PLATFORM_AUDIT_KEY_FILE=/etc/platform/audit.key
END
check "dpkg makes a copy" says "the copy is /var/backups/platform/" dpkg --install newer.deb
mv /etc/platform/audit.key "$data"
sed -i '/^PLATFORM_DATABASE_URL=/d; /^PLATFORM_AUDIT_KEY_FILE=/d' /etc/platform/platform.env

title "Upgrade with the database on a PostgreSQL server"
echo "PLATFORM_DATABASE_URL=postgres://platform:teapot@db/platform" >>/etc/platform/platform.env
check "dpkg makes no copy" says "on a PostgreSQL server" dpkg --install newer.deb
check "the password is not printed" fails grep teapot answer
sed -i '/^PLATFORM_DATABASE_URL=/d' /etc/platform/platform.env

title "On a host with systemd (a substitute that records its calls)"
cat >/usr/local/bin/systemctl <<'END'
#!/bin/sh
echo "$* [$(dpkg-query --show --showformat='${db:Status-Status}' platform)]" >>/tmp/try/told
case "$1" in
  show) echo "${SERVER_STATE:-active}" ;;
esac
END
chmod +x /usr/local/bin/systemctl
mkdir -p /run/systemd/system
check "the server is upgraded" dpkg --install older.deb
check "the server was stopped before the upgrade and started after it" sh -c "cat told; tr '\n' ' ' <told | grep -q \
  'stop platform.service.* daemon-reload .* start platform.service .* try-restart platform-agent@'"
rm told
export SERVER_STATE=inactive
check "a package whose server did not run is upgraded" dpkg --install newer.deb
check "the stopped server is not started" fails grep -E '^(stop|start) ' told
rm told
unset SERVER_STATE
mv /var/backups/platform backups
touch /var/backups/platform
check "an upgrade whose copy fails" fails dpkg --install newest.deb
check "the old server is started again" sh -c "cat told; tail -n 2 told | grep -q '^start platform.service'"
rm /var/backups/platform
mv backups /var/backups/platform
rm -r /usr/local/bin/systemctl /run/systemd

title "Removed"
check "dpkg removes it" dpkg --remove platform
check "the program is gone" is_gone /usr/bin/platform
check "the units are gone" is_gone "$unit"
check "the settings stay" grep PLATFORM_PORT=8181 /etc/platform/platform.env
check "the data stays" test -s "$data/platform.db"
check "dpkg installs it again" dpkg --install newer.deb
check "the server starts with its old data and settings" start
check "and stops" stop

title "Purged"
check "dpkg purges the package and prints what remains" says "$data remains" dpkg --purge platform
check "the settings are gone" is_gone /etc/platform
check "the cache is gone" is_gone /var/cache/platform
check "the data stays" test -s "$data/platform.db"
check "the copies stay" says 'Z-' copies

title "On a host without systemd"
userdel platform
userdel platform-agent
rm -f /usr/bin/systemctl /bin/systemctl /usr/bin/systemd-sysusers /bin/systemd-sysusers
check "dpkg installs it" dpkg --install older.deb
check "the users exist" says '/usr/sbin/nologin' getent passwd platform platform-agent
check "dpkg purges it" dpkg --purge platform

printf '\n%s checks, %s wrong.\n' "$count" "$failed"
if [ "$failed" != 0 ] && [ -s server.log ]; then
  printf '\nThe last words of the server:\n'
  tail -n 20 server.log
fi
[ "$failed" = 0 ]
