#!/usr/bin/env bash
# The floor of `scripts/bench provision`: the commands that create one account by hand on the hosting server, with the
# installed units and server block and the same result: a user who can log in, all limits, PHP that starts at boot, a
# site. Run it inside a box: provision-floor.sh UID NAME DOMAIN, with the password on standard input. Prints one line of JSON
# with the microseconds of each step.
set -euo pipefail
uid=$1 name=$2 domain=$3
read -r password
sites=/etc/innkeeper/sites
now() { date +%s%N; }
steps='' last=$(now) first=$last
step() {
  local at
  at=$(now)
  steps+="${steps:+,}\"$1\":$(((at - last) / 1000))"
  last=$at
}

hash=$(openssl passwd -6 -stdin <<< "$password")
groupadd --gid "$uid" -- "$name"
useradd --uid "$uid" --gid "$uid" --no-create-home --shell /bin/bash --password "$hash" -- "$name"
step user

mkdir -m 0750 "/home/$name"
chown "$uid:www-data" "/home/$name"
root=/home/$name/domains/$domain/public_html
tmp=/home/.innkeeper-tmp/units/$uid
mkdir -m 0700 "$tmp"
chown "$uid:$uid" "$tmp"
setpriv --reuid "$uid" --regid "$uid" --clear-groups \
  mkdir -p "$root" "/home/$name/logs" "/home/$name/.php/sessions" "/home/$name/.php/tmp"
setpriv --reuid "$uid" --regid "$uid" --clear-groups cp /usr/share/innkeeper/floor/index.php "$root/index.php"
step home

systemctl set-property "user-$uid.slice" CPUQuota=100% MemoryMax=512M MemorySwapMax=0 TasksMax=100
step slice

cat > "/etc/innkeeper/php/$uid.conf" <<CONF
[global]
error_log = syslog
daemonize = no
[www]
listen = /run/innkeeper/php/$uid.sock
pm = dynamic
pm.max_children = 5
pm.start_servers = 1
pm.min_spare_servers = 1
pm.max_spare_servers = 1
CONF
chown "root:$uid" "/etc/innkeeper/php/$uid.conf"
chmod 640 "/etc/innkeeper/php/$uid.conf"
ln -s /etc/systemd/system/innkeeper-php@.socket \
  "/etc/systemd/system/sockets.target.wants/innkeeper-php@$uid.socket"
systemctl start "innkeeper-php@$uid.socket"
step php

target="$uid,php,$name,,,"
mkdir -m 0700 "$sites/$target"
ln -s "$target" "$sites/$domain"
until [ "$(curl -s -H "Host: $domain" http://127.0.0.80/.innkeeper-kind)" = "php $uid" ]; do :; done
step web

total=$(((last - first) / 1000))

[ "$(curl -s --max-time 10 -H "Host: $domain" http://127.0.0.80/)" = hello ]
step byte

printf '{"total":%d,%s}\n' "$total" "$steps"
