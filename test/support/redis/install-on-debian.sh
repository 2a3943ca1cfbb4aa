#!/bin/sh
# Installs redis-server on Debian or Ubuntu, without a service that runs or starts with the machine. Needs root.
set -eu

if [ "${1-}" != locked ]; then
  exec flock /run/lock/nestjs-lane-redis.lock "$0" locked
fi
# Another run may have installed it while this one waited for the lock.
if command -v redis-server >/dev/null; then
  exit 0
fi

# Packages ask this program before they start a service; 101 forbids it. One that is there already is put back.
policy=/usr/sbin/policy-rc.d
kept=$policy.kept-by-nestjs-lane
if [ -e "$policy" ] && [ ! -e "$kept" ]; then
  mv "$policy" "$kept"
fi
restore() {
  rm -f "$policy"
  if [ -e "$kept" ]; then mv "$kept" "$policy"; fi
}
trap restore EXIT
trap 'exit 1' HUP INT TERM
printf '#!/bin/sh\nexit 101\n' >"$policy"
chmod 755 "$policy"

export DEBIAN_FRONTEND=noninteractive
apt() {
  apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"
}
# The lists have a lock of their own, without a timeout; a newer one may be there already, so a failure decides nothing.
apt update || echo 'apt-get update failed; trying with the package lists that are there.' >&2
apt install --yes --no-install-recommends redis-server

if command -v systemctl >/dev/null; then
  systemctl --quiet disable redis-server.service 2>/dev/null || true
fi
if command -v update-rc.d >/dev/null; then
  update-rc.d redis-server disable >/dev/null 2>&1 || true
fi
wants=/etc/systemd/system/multi-user.target.wants/redis-server.service
rm -f "$wants" /etc/systemd/system/redis.service
for left in "$wants" /etc/rc*.d/S*redis-server; do
  if [ -e "$left" ] || [ -L "$left" ]; then
    echo "redis-server would start with the machine: $left is left." >&2
    exit 1
  fi
done
