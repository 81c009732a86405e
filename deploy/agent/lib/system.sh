# shellcheck shell=bash
# One-time setup of a hosting server: groups, kernel, units, PAM, SSH, nginx. Sourced by install.sh.

ensure_folders() {
  getent group innkeeper-proc >/dev/null || did 'created the group innkeeper-proc'
  systemd-sysusers /etc/sysusers.d/innkeeper.conf
  note_modes
  systemd-tmpfiles --create /etc/tmpfiles.d/innkeeper.conf
  # For accounts of an earlier release: the folders must exist before units that use them restart.
  local name uid home
  while IFS=: read -r name _ uid _ _ home _; do
    [ "$uid" -ge 20000 ] && [ "$uid" -le 2147483000 ] && [ "$home" = "/home/$name" ] || continue
    [ -e "/home/.innkeeper-tmp/units/$uid" ] ||
      install -d -m 700 -o "$uid" -g "$uid" "/home/.innkeeper-tmp/units/$uid"
  done </etc/passwd
  local php
  php=$(compgen -G '/usr/sbin/php-fpm[0-9]*' | sort -V | tail -n 1)
  ! swap_link "$php" /opt/innkeeper/bin/php-fpm || did "selected $(basename "$php") for sites"
}

# Records the modes and owners of Debian's files and folders that are closed to accounts. --uninstall restores them.
note_modes() {
  local path
  touch "$STATE/modes"
  while read -r _ path _; do
    [ -e "$path" ] && ! grep -qE " $path( |\$)" "$STATE/modes" || continue
    stat -c '%a %n %U %G' "$path" >>"$STATE/modes"
  done < <(grep '^z ' /etc/tmpfiles.d/innkeeper.conf)
}

# set_login_def KEY VALUE: sets a value in /etc/login.defs, and records the old one in a comment.
set_login_def() {
  local key=$1 value=$2 file=/etc/login.defs
  # Text after a value counts as part of the value, but an earlier release wrote its note there.
  sed -i -E "s/^($key[[:space:]]+)$value (# innkeeper, was [0-9]+)$/\\2\\n\\1$value/" $file
  ! grep -qE "^$key[[:space:]]+$value$" $file || return 0
  if grep -qE "^$key[[:space:]]+[0-9]+" $file; then
    sed -i -E "s/^($key[[:space:]]+)([0-9]+).*/# innkeeper, was \\2\\n\\1$value/" $file
  else
    printf '# innkeeper, was absent\n%s %s\n' "$key" "$value" >>$file
  fi
  did "set $key=$value in $file"
}

NGINX_CONNECTIONS=8192

ENABLED=''

# enable_at_boot UNIT: links the unit for the next boot. systemd reads all units again once, in read_links, and not for each:
# that takes seconds on a slow server. The links of sysvinit do not count below systemd.
enable_at_boot() {
  ! systemctl is-enabled --quiet "$1" || return 0
  SYSTEMCTL_SKIP_SYSV=1 systemctl enable --no-reload "$1"
  ENABLED=yes
}

read_links() {
  [ -z "$ENABLED" ] || systemctl daemon-reload
  ENABLED=''
}

# enable_unit UNIT: enables a service of Debian's. --uninstall disables it again.
enable_unit() {
  ! systemctl is-enabled --quiet "$1" || return 0
  printf '%s\n' "$1" >>"$STATE/enabled"
  enable_at_boot "$1"
  did "enabled $1"
}

# useradd chooses the uid after the highest one below these values. Without them an operator's next user would get the
# uid of the next account.
ensure_uid_range() {
  set_login_def UID_MAX 19999
  set_login_def GID_MAX 19999
  # Subordinate ids begin at 100000, in the range of accounts: new users get none.
  set_login_def SUB_UID_COUNT 0
  set_login_def SUB_GID_COUNT 0
}

# Prints users of any source (LDAP, created by hand) whose uid an account could get
# (packages/domain/src/accounts/uid.ts), as NAME (UID). Users of the agent have their account in the comment field.
foreign_users() {
  getent passwd | awk -F : '
    !($3 >= 20000 && $3 <= 59999 || $3 >= 70000 && $3 <= 524287 || $3 >= 1879048192 && $3 <= 2147483000) { next }
    $5 ~ /^Hosting account [0-9]+(,|$)/ && $6 == "/home/" $1 { next }
    $5 ~ /^FTP login of hosting account [0-9]+$/ && $6 == "/var/lib/innkeeper/jail/files" { next }
    { print $1 " (" $3 ")" }'
}

# Raises values that are too low, and sets to 0 what must be off. A container may not change them; its host must.
ensure_sysctls() {
  local key wanted now
  while IFS=' =' read -r key wanted; do
    key=${key#-}
    if [ ! -e "/proc/sys/${key//.//}" ]; then
      # Only Debian's kernels have kernel.unprivileged_userns_clone. On others the units forbid user namespaces.
      [ "$key" = kernel.unprivileged_userns_clone ] || warn "This kernel has no setting $key, which should be $wanted."
      continue
    fi
    now=$(sysctl -n "$key")
    [ "$now" -lt "$wanted" ] || { [ "$wanted" = 0 ] && [ "$now" != 0 ]; } || continue
    grep -qs "^$key=" "$STATE/sysctls" || printf '%s=%s\n' "$key" "$now" >>"$STATE/sysctls"
    if sysctl -w "$key=$wanted"; then
      did "set $key=$wanted"
    else
      warn "$key is $now and should be $wanted. This server may not change it: in a container, set it on the host."
    fi
  done < <(grep -v '^#' /etc/sysctl.d/99-zz-innkeeper.conf)
}

reload_units() {
  # The units of apps are links to files in /usr/lib/innkeeper/units.
  if changed /etc/systemd/ /usr/lib/innkeeper/units/; then
    systemctl daemon-reload
    did 'reloaded systemd'
  fi
  enable_at_boot innkeeper-proc
  if ! systemctl is-active --quiet innkeeper-proc || changed /etc/systemd/system/innkeeper-proc.service; then
    systemctl restart innkeeper-proc
    did 'hid the processes of other users from accounts'
  fi
  # These restarts end no running session and no running job.
  if changed /etc/systemd/system/cron.service.d/; then systemctl try-restart cron; fi
  if changed /etc/systemd/system/ssh.service.d/; then systemctl try-restart ssh; fi
  # A minimal server has both since this run, and its packages start neither.
  if changed /etc/dbus-1/ || ! systemctl is-active --quiet dbus; then
    systemctl reload-or-restart dbus
    did 'reloaded the rules of D-Bus'
  fi
  mask_php
  # The unit loads the agent's rules at boot. The agent loads them itself when it starts.
  enable_at_boot innkeeper-firewall
  if changed /etc/systemd/system/systemd-logind.service.d/ /etc/systemd/logind.conf.d/ ||
    ! systemctl is-active --quiet systemd-logind; then
    systemctl restart systemd-logind
    did 'restarted logind'
  fi
  if changed /etc/systemd/journald.conf.d/; then
    systemctl try-restart systemd-journald
    did 'set limits of the journal for accounts'
  fi
}

# Whether a PHP service of Debian's is in use, and prints why: a pool of the operator's, or a site of the operator's with
# one of its sockets.
php_unit_in_use() {
  local version=${1#php} pools site
  version=${version%-fpm.service} pools=/etc/php/$version/fpm/pool.d
  if [ "$(find "$pools" -name '*.conf' ! -name www.conf 2>/dev/null)" ]; then
    printf '%s has pools that are not of Debian' "$pools"
    return
  fi
  site=$(grep -RlsE "^[^#]*/run/php/php($version)?-?fpm" /etc/nginx/sites-enabled /etc/nginx/conf.d \
    /etc/apache2/sites-enabled /etc/apache2/conf-enabled | head -n 1)
  [ -n "$site" ] && printf '%s uses it' "$site"
}

# Debian's PHP service runs as www-data, which can read what all homes share with nginx. No site of an account uses it.
mask_php() {
  local unit
  while read -r unit _; do
    [ "$(systemctl is-enabled "$unit")" != masked ] || continue
    ! php_unit_in_use "$unit" || continue
    systemctl mask --now "$unit"
    printf '%s\n' "$unit" >>"$STATE/masked"
    did "stopped and masked $unit"
  done < <(systemctl list-unit-files --no-legend --plain 'php*-fpm.service')
}

# tmpfiles.d closes crontab(1). at(1) has a list of its users.
ensure_schedulers() {
  if [ ! -e /etc/at.allow ]; then
    printf '# %s: removed with it. Users who may use at(1), one a line.\nroot\n' "$HEADER" >/etc/at.allow
    chmod 644 /etc/at.allow
    did 'created /etc/at.allow'
  fi
  local table
  for table in /var/spool/cron/crontabs/*; do
    [ -e "$table" ] && [ "$(stat -c %u "$table")" -ge 20000 ] || continue
    rm -f -- "$table"
    warn "Removed the crontab that $(basename "$table") had created with crontab(1). Add its jobs in the panel."
  done
}

# Prints the first of PAM's common files that lacks a rule of Innkeeper.
pam_files_without_innkeeper() {
  local file program
  while read -r file program; do
    grep -q "/usr/lib/innkeeper/$program" "/etc/pam.d/$file" || { printf '/etc/pam.d/%s' "$file" && return; }
  done <<<'common-session enter-slice
common-session enter-jail
common-session-noninteractive enter-slice
common-session-noninteractive enter-jail
common-auth count-attempt'
}

# pam-auth-update owns the common files and its marks in them.
ensure_pam() {
  if [ -n "$(pam_files_without_innkeeper)" ] || changed /usr/share/pam-configs/innkeeper; then
    DEBIAN_FRONTEND=noninteractive pam-auth-update --package --enable innkeeper innkeeper-logins
    did 'sessions of accounts now start in their slice'
  fi
  local file
  file=$(pam_files_without_innkeeper)
  [ -z "$file" ] ||
    fail "Somebody edited $file by hand, so pam-auth-update does not change it. Run \"pam-auth-update --force --enable innkeeper innkeeper-logins\", which discards these edits, or undo them, and run the installer again."
}

# make_certificate BASE GROUP SUBJECT [OPTION...]: creates a key and a self-signed certificate, BASE.key and BASE.pem,
# unless they exist. GROUP can read the key.
make_certificate() {
  local base=$1 group=$2 subject=$3
  shift 3
  [ ! -s "$base.pem" ] || [ ! -s "$base.key" ] || return 1
  (umask 077 && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
    -subj "$subject" "$@" -keyout "$base.key.new" -out "$base.pem.new")
  chgrp "$group" "$base.key.new"
  chmod 640 "$base.key.new"
  chmod 644 "$base.pem.new"
  mv -fT "$base.key.new" "$base.key"
  mv -fT "$base.pem.new" "$base.pem"
}

# One connection per 8 MiB of memory, at least 300 and at most 4000. An account can use a quarter of them.
write_database_size() {
  local file=$1 connections
  connections=$(($(sed -nE 's/^MemTotal: *([0-9]+) kB$/\1/p' /proc/meminfo) / 8192))
  [ "$connections" -ge 300 ] || connections=300
  [ "$connections" -le 4000 ] || connections=4000
  # Uses the memory size at the first installation: a later change of memory has no effect.
  [ ! -e "$file" ] || return 0
  printf '# Managed by Innkeeper: written once, by the memory of this server. Yours to change.\n[mysqld]\nmax-connections = %s\n' \
    "$connections" >"$file.innkeeper-new"
  chmod 644 "$file.innkeeper-new"
  mv -fT "$file.innkeeper-new" "$file"
  CHANGED_FILES="$CHANGED_FILES
$file"
}

# A database server loses a SIGTERM in the first 0.2 s of its start. "systemctl restart" would then wait for
# TimeoutStopSec, which is 15 minutes. So a start under way ends first, whatever its result.
restart_database() {
  [ "$(systemctl show -P ActiveState "$1")" != activating ] || systemctl start "$1" || true
  systemctl restart "$1"
}

# Restarts only if the settings changed, because a restart drops the connections of sites.
ensure_databases() {
  local unit=mariadb size=/etc/mysql/mariadb.conf.d/71-innkeeper-size.cnf
  # MySQL reads Debian's mysqld.cnf after files whose names begin with a number.
  [ -e /usr/sbin/mariadbd ] || { unit=mysql && size=/etc/mysql/mysql.conf.d/zz-innkeeper-size.cnf; }
  enable_unit "$unit"
  write_database_size $size
  if make_certificate /etc/innkeeper/database mysql '/CN=database server'; then
    did 'created a certificate for remote connections'
    CHANGED_FILES="$CHANGED_FILES
/etc/mysql/"
  fi
  if changed /etc/mysql/ "/etc/systemd/system/$unit.service.d/" || ! systemctl is-active --quiet "$unit"; then
    restart_database "$unit" || fail "$unit does not start. To see the reason, run: journalctl -u $unit"
    did "restarted $unit"
  fi
}

# Runs SFTP inside sshd: as a program, the account's shell would start it, and the output of .bashrc would break it.
ensure_internal_sftp() {
  local file=/etc/ssh/sshd_config
  grep -qE '^Subsystem[[:space:]]+sftp[[:space:]]+/usr/lib/openssh/sftp-server[[:space:]]*$' $file || return 0
  sed -E 's|^(Subsystem[[:space:]]+sftp[[:space:]]+)/usr/lib/openssh/sftp-server[[:space:]]*$|# innkeeper, was /usr/lib/openssh/sftp-server\n\1internal-sftp|' \
    $file >$file.innkeeper-new
  chmod --reference=$file $file.innkeeper-new
  mv -fT $file.innkeeper-new $file
  CHANGED_FILES="$CHANGED_FILES
$file"
}

reload_ssh() {
  ensure_internal_sftp
  changed /etc/ssh/ || return 0
  mkdir -p /run/sshd
  /usr/sbin/sshd -t
  ! systemctl is-active --quiet ssh || systemctl reload ssh
  did 'reloaded sshd with the rules for accounts'
}

# The FTP server. The agent starts it with the first FTP login of an account. Its certificate stays: it is the operator's to
# replace.
ensure_ftp() {
  local name
  systemctl is-enabled --quiet innkeeper-ftp || systemctl enable innkeeper-ftp
  # Servers that are made from an image must not share a key, nor have the name of the image.
  [ -z "$NO_ENROL" ] || return 0
  name=$(hostname -f 2>/dev/null || hostname)
  if make_certificate /etc/innkeeper/ftp root "/CN=$name" -addext "subjectAltName=DNS:$name"; then
    did "created a certificate for $name"
  fi
  /usr/sbin/proftpd --configtest --config /etc/innkeeper/ftp/proftpd.conf ||
    fail "The FTP server rejects its configuration. Correct /etc/innkeeper/ftp/local.conf and run the installer again: $(/usr/sbin/proftpd --configtest --config /etc/innkeeper/ftp/proftpd.conf 2>&1 | grep -m 1 -E 'error|fatal')"
  if changed /etc/innkeeper/ftp/ && systemctl is-active --quiet innkeeper-ftp; then
    systemctl reload innkeeper-ftp
    did 'reloaded the FTP server'
  fi
}

# The certificate for names without a certificate of their own. No client trusts it.
ensure_default_certificate() {
  make_certificate /etc/innkeeper/certificates/default www-data '/CN=no certificate for this name' || return 0
  did 'created a certificate for names without one'
}

# Debian allows 768 connections per worker, too few for many sites. Only the events block of nginx.conf can set the
# number.
ensure_nginx_connections() {
  local now conf=/etc/nginx/nginx.conf
  now=$(sed -nE 's/^[[:space:]]*worker_connections[[:space:]]+([0-9]+);.*/\1/p' $conf)
  case $now in
    '' | *[!0-9]*) warn "$conf must contain worker_connections exactly once. Set it to $NGINX_CONNECTIONS." && return 0 ;;
  esac
  [ "$now" -lt "$NGINX_CONNECTIONS" ] || return 0
  sed -E "s/^([[:space:]]*)worker_connections[[:space:]]+[0-9]+;/\\1worker_connections $NGINX_CONNECTIONS; # innkeeper, was $now;/" \
    $conf >$conf.innkeeper-new
  chmod --reference=$conf $conf.innkeeper-new
  mv -fT $conf.innkeeper-new $conf
  CHANGED_FILES="$CHANGED_FILES
$conf"
}

# nginx must include modules-enabled/90-innkeeper.conf, and no other file may set the same directives.
check_nginx_main() {
  local conf=/etc/nginx/nginx.conf twice
  twice=$(sed -nE 's/^[[:space:]]*(worker_(shutdown_timeout|rlimit_nofile)).*/\1/p' $conf)
  [ -z "$twice" ] || fail "$conf sets $twice, which /etc/nginx/modules-enabled/90-innkeeper.conf also sets. Remove it from $conf and run the installer again."
  grep -qE '^[[:space:]]*include[[:space:]]+/etc/nginx/modules-enabled/\*\.conf;' $conf ||
    fail "$conf does not include /etc/nginx/modules-enabled/*.conf. Add the line \"include /etc/nginx/modules-enabled/*.conf;\" before its first block, as in Debian's file, and run the installer again."
}

# Until 2026-11-23 nginx read the sites from lists. Now it looks them up in a folder, which must be complete before any
# process reads the new configuration. The lists stay: an earlier release that is installed again continues with them.
adopt_sites() {
  grep -qs innkeeper/live /etc/nginx/conf.d/innkeeper.conf || return 0
  did "$("$AGENT" adopt-sites) converted to links"
}

ensure_nginx() {
  local default=/etc/nginx/sites-enabled/default
  check_nginx_main
  ensure_nginx_connections
  ensure_default_certificate
  # Debian's welcome page is configured as the default server.
  if [ "$(readlink "$default")" = /etc/nginx/sites-available/default ]; then
    touch "$STATE/nginx-default-site"
    rm -f "$default"
    CHANGED_FILES="$CHANGED_FILES
/etc/nginx/sites-enabled/default"
  fi
  enable_unit nginx
  if changed /etc/nginx/ || ! systemctl is-active --quiet nginx; then
    /usr/sbin/nginx -t || fail "nginx rejects its configuration. Correct it and run the installer again: $(/usr/sbin/nginx -t 2>&1 | grep -m 1 emerg)"
    systemctl reload-or-restart nginx
    did 'reloaded nginx'
  fi
}
