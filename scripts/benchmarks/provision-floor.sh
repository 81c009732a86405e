#!/usr/bin/env bash
# The floor of `scripts/bench provision`: the commands that create one account by hand on the hosting server, with the
# installed units and server blocks. Run it inside a box: provision-floor.sh UID NAME DOMAIN. Prints one line of JSON
# with the milliseconds of each step.
set -euo pipefail
uid=$1 name=$2 domain=$3
live=/etc/nginx/conf.d
now() { date +%s%N; }
steps='' last=$(now) first=$last
step() {
  local at
  at=$(now)
  steps+="${steps:+,}\"$1\":$(((at - last) / 1000))"
  last=$at
}

useradd --uid "$uid" --no-create-home --shell /usr/sbin/nologin -- "$name"
step user

mkdir -m 0750 "/home/$name"
chown "$uid:www-data" "/home/$name"
root=/home/$name/domains/$domain/public_html
setpriv --reuid "$uid" --regid "$uid" --clear-groups mkdir -p "$root" "/home/$name/tmp" "/home/$name/logs"
setpriv --reuid "$uid" --regid "$uid" --clear-groups cp /usr/share/innkeeper/floor/index.php "$root/index.php"
step home

systemctl set-property "user-$uid.slice" CPUQuota=100% MemoryMax=512M TasksMax=100
step slice

cat > "/etc/php/8.2/fpm/floor-$uid.conf" <<CONF
[global]
error_log = syslog
daemonize = no
[www]
listen = /run/floor-$uid.sock
pm = dynamic
pm.max_children = 5
pm.start_servers = 1
pm.min_spare_servers = 1
pm.max_spare_servers = 1
CONF
cat > "/run/systemd/system/floor-$uid.socket" <<CONF
[Socket]
ListenStream=/run/floor-$uid.sock
SocketUser=www-data
SocketMode=0600
CONF
cat > "/run/systemd/system/floor-$uid.service" <<CONF
[Service]
Type=notify
User=$uid
Slice=user-$uid.slice
Environment=FPM_SOCKETS=/run/floor-$uid.sock=3
ExecStart=/usr/sbin/php-fpm8.2 --nodaemonize --fpm-config /etc/php/8.2/fpm/floor-$uid.conf
CONF
systemctl daemon-reload
systemctl start "floor-$uid.socket"
step php

cat > "$live/floor-$uid.conf" <<CONF
server {
  listen 80;
  server_name $domain;
  root $root;
  location = /ping { return 200 "$uid"; }
  location / { index index.php; }
  location ~ \.php\$ { include fastcgi_params; fastcgi_param SCRIPT_FILENAME \$document_root\$fastcgi_script_name; fastcgi_pass unix:/run/floor-$uid.sock; }
}
CONF
old_workers=$(pgrep -f '^nginx: worker process' | tr '\n' ' ')
nginx -t -q
systemctl reload nginx
until [ "$(curl -s -H "Host: $domain" http://127.0.0.1/ping)" = "$uid" ]; do :; done
step web

# From here on no worker with the old configuration accepts connections. "synced" means the same.
for pid in $old_workers; do
  while [ "$(tr -d '\0' <"/proc/$pid/cmdline" 2>/dev/null)" = 'nginx: worker process' ]; do :; done
done
step settled

printf '{"total":%d,%s}\n' $(((last - first) / 1000)) "$steps"
