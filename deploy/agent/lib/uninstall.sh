# shellcheck shell=bash
# Removes the files that install.sh placed, and restores what it changed. Sourced by install.sh.

uninstall() {
  printf 'Uninstalling the Innkeeper agent\n'
  step 'Accounts' check_no_accounts
  step 'Agent' remove_service
  step 'Range of uids' release_uid_range
  step 'Sessions (PAM)' remove_pam
  step 'SSH, cron and PHP' release_services
  step 'nginx' remove_from_nginx
  step 'Mail' remove_mail
  step 'systemd units and files' remove_files
  if [ -n "$PURGE" ]; then step 'Debian packages' purge_packages; fi
  step 'Folders' remove_folders
  [ -n "$PURGE" ] || printf 'Debian packages stay installed.\n'
  printf 'The agent is uninstalled. To remove this server from the control plane, run there: innctl node remove\n'
  rm -f "$LOG"
}

check_no_accounts() {
  local count ledger=/var/lib/innkeeper/agent/ledger
  [ -d "$ledger" ] || return 0
  count=$(find "$ledger" -maxdepth 1 -name '*.json' | wc -l)
  [ "$count" != 0 ] || return 0
  [ -n "$FORCE" ] ||
    fail "This server has $count hosting accounts. Terminate them on the control plane first. With --force their users and homes stay on this server without an agent."
  did "left $count accounts on this server without an agent"
}

remove_service() {
  if [ -e /etc/systemd/system/innkeeper-agent.service ]; then
    systemctl disable --now innkeeper-agent
    did 'stopped and disabled'
  fi
  systemctl stop 'innkeeper-php@*.socket' 'innkeeper-php@*.service' || true
  rm -f /etc/systemd/system/sockets.target.wants/innkeeper-php@*.socket
  systemctl stop 'innkeeper-app-*@*.socket' 'innkeeper-app-*@*.service' || true
  rm -f /etc/systemd/system/innkeeper-app-*@.* /etc/systemd/system/*.target.wants/innkeeper-app-*@*
  rm -f /etc/cron.d/innkeeper-*
  systemctl disable --now innkeeper-firewall || true
  systemctl disable --now innkeeper-ftp || true
  ! nft list table inet innkeeper_ftp || nft delete table inet innkeeper_ftp
  # Debian's own FTP server has never run: it stays off, also for an operator who keeps the package.
  if [ -e "$STATE/masked-ftp" ]; then
    systemctl unmask proftpd.service
    [ ! -e /usr/sbin/proftpd ] || systemctl disable proftpd.service
    rm "$STATE/masked-ftp"
  fi
  if nft list table inet innkeeper; then
    nft delete table inet innkeeper
    did 'removed the firewall table of accounts'
  fi
}

release_uid_range() {
  grep -q '# innkeeper, was ' /etc/login.defs || return 0
  sed -i -E 's/^([A-Z]+_MAX[[:space:]]+)19999 # innkeeper, was ([0-9]+)$/\1\2/' /etc/login.defs
  sed -i -E '/^# innkeeper, was [0-9]+$/{N;s/^# innkeeper, was ([0-9]+)\n([A-Z_]+[[:space:]]+)(19999|0)$/\2\1/}' /etc/login.defs
  sed -i -E '/^# innkeeper, was absent$/{N;d}' /etc/login.defs
  did 'restored /etc/login.defs'
}

remove_pam() {
  grep -qE 'pam_namespace|innkeeper' /etc/pam.d/common-session-noninteractive || return 0
  DEBIAN_FRONTEND=noninteractive pam-auth-update --package --remove innkeeper innkeeper-logins
  ! grep -qE 'pam_namespace|innkeeper' /etc/pam.d/common-session-noninteractive /etc/pam.d/common-auth ||
    fail 'pam-auth-update does not change /etc/pam.d, because somebody edited it by hand. Run "pam-auth-update --force --remove innkeeper innkeeper-logins", then ./install.sh --uninstall again.'
  did 'removed the PAM profile of Innkeeper'
}

# Restores Debian's own settings that were changed for accounts.
release_services() {
  local unit mode path owner group
  if [ -e /etc/at.allow ] && grep -q "$HEADER" /etc/at.allow; then rm -f /etc/at.allow; fi
  sed -i -E '/^# innkeeper, was \/usr\/lib\/openssh\/sftp-server$/{N;s/^# innkeeper, was (.*)\n(Subsystem[[:space:]]+sftp[[:space:]]+)internal-sftp$/\2\1/}' /etc/ssh/sshd_config
  if [ -e "$STATE/masked" ]; then
    while read -r unit; do
      systemctl unmask "$unit"
      ! systemctl is-enabled --quiet "$unit" || systemctl start "$unit"
    done <"$STATE/masked"
    rm "$STATE/masked"
    did 'started the PHP-FPM services of Debian again'
  fi
  if [ -e "$STATE/enabled" ]; then
    while read -r unit; do SYSTEMCTL_SKIP_SYSV=1 systemctl disable --now "$unit"; done <"$STATE/enabled"
    rm "$STATE/enabled"
    did 'disabled services that were disabled before'
  fi
  if [ -e "$STATE/modes" ]; then
    # Files that are created at each boot may be missing.
    while read -r mode path owner group; do
      [ -e "$path" ] || continue
      # Earlier releases recorded no owners, and changed none.
      [ -z "$group" ] || chown "$owner:$group" "$path"
      chmod "$mode" "$path"
    done <"$STATE/modes"
    rm "$STATE/modes"
  fi
}

remove_from_nginx() {
  if [ -e /etc/nginx/conf.d/innkeeper.conf ]; then
    remove_file /etc/nginx/conf.d/innkeeper.conf
    did 'removed the configuration of sites'
  fi
  remove_file /etc/nginx/modules-enabled/90-innkeeper.conf
  [ ! -e /etc/nginx/nginx.conf ] ||
    sed -i -E 's/(worker_connections )[0-9]+; # innkeeper, was ([0-9]+);/\1\2;/' /etc/nginx/nginx.conf
  rm -rf /etc/nginx/innkeeper /etc/innkeeper/sites /etc/innkeeper/certificates /var/lib/innkeeper/acme
  if [ -e "$STATE/nginx-default-site" ] && [ ! -e /etc/nginx/sites-enabled/default ]; then
    ln -s /etc/nginx/sites-available/default /etc/nginx/sites-enabled/default
    did 'restored the default site'
  fi
  ! systemctl is-active --quiet nginx || systemctl reload nginx
}

remove_files() {
  local file
  if systemctl is-active --quiet innkeeper-proc; then systemctl disable --now innkeeper-proc; fi
  if [ -e "$STATE/files" ]; then
    while IFS= read -r file; do remove_file "$file"; done <"$STATE/files"
  fi
  [ -n "$CHANGED_FILES" ] || return 0
  remove_empty_folders
  systemctl daemon-reload
  systemctl try-restart systemd-logind systemd-journald
  systemctl try-restart ssh cron
  systemctl reload dbus
  rm -f /etc/mysql/mariadb.conf.d/71-innkeeper-size.cnf /etc/mysql/mysql.conf.d/zz-innkeeper-size.cnf
  local database=mariadb
  [ -e /usr/sbin/mariadbd ] || database=mysql
  if changed /etc/mysql/; then
    case $(systemctl show -P ActiveState "$database") in
      active | activating) restart_database "$database" ;;
    esac
  fi
  rm -f /etc/innkeeper/database.pem /etc/innkeeper/database.key
  sysctl --system || true
  if [ -e "$STATE/sysctls" ]; then sysctl -p "$STATE/sysctls" || true; fi
  local group
  for group in innkeeper-proc innkeeper-ftp; do ! getent group $group >/dev/null || groupdel $group; done
  remove_mail_user
  did "$(printf '%s' "$CHANGED_FILES" | grep -c .) files removed"
}

remove_folders() {
  local folder
  for folder in /opt/innkeeper /run/innkeeper /var/lib/innkeeper; do
    [ ! -e "$folder" ] || did "removed $folder"
    rm -rf --one-file-system "$folder"
  done
  rm -rf /etc/innkeeper
  # Created for limits and units of accounts.
  for folder in /etc/systemd/system.control /etc/systemd/system/sockets.target.wants; do
    [ ! -d "$folder" ] || rmdir --ignore-fail-on-non-empty "$folder"
  done
  rmdir --ignore-fail-on-non-empty /home/.innkeeper-tmp/* /home/.innkeeper-tmp || true
}

# Removes the packages that the installer installed. A package stays, with what it needs, if a package of somebody else
# needs it, or if it has data or configuration of the operator.
purge_packages() {
  [ -s "$STATE/packages" ] || return 0
  local packages package reason needing=''
  # shellcheck disable=SC2046
  packages=$(bare $(sort -u "$STATE/packages" | LC_ALL=C comm -12 - <(installed_packages)))
  for package in $packages; do
    reason=$(why_kept "$package") || continue
    warn "$reason"
    needing="$needing $package"
  done
  while :; do
    # shellcheck disable=SC2086
    [ -z "$needing" ] || packages=$(without "$packages" "$(needed_by $needing)")
    [ -n "$packages" ] || return 0
    # shellcheck disable=SC2086
    needing=$(without "$(pretend_apt purge $packages | sed -nE 's/^Purg ([^ ]+).*/\1/p')" "$packages")
    [ -n "$needing" ] || break
  done
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get purge -y $packages
  # Its package keeps the data folder, in which why_kept has found no database.
  if grep -qxE '(mariadb|mysql)-server' <<<"$packages"; then rm -rf --one-file-system /var/lib/mysql; fi
  if [ -e "$STATE/no-aliases" ] && grep -qxF postfix <<<"$packages"; then rm -f /etc/aliases /etc/aliases.db; fi
  if [ -e "$STATE/no-ssl-cert" ] && grep -qxF ssl-cert <<<"$packages"; then ! getent group ssl-cert >/dev/null || groupdel ssl-cert; fi
  did "removed $(wc -w <<<"$packages") packages"
}

# Prints the packages and all that they need, themselves included.
needed_by() {
  apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
    --no-enhances "$@" | sed -nE 's/^([a-z0-9][^ :]*).*/\1/p'
}

# Names without the architecture, as apt prints them.
bare() { printf '%s\n' "$@" | sed 's/:.*//' | LC_ALL=C sort -u; }

# without LIST LIST: the words of the first that are not in the second.
without() {
  # shellcheck disable=SC2086
  LC_ALL=C comm -23 <(printf '%s\n' $1 | LC_ALL=C sort -u) <(printf '%s\n' $2 | LC_ALL=C sort -u)
}

# Prints why a package stays. Fails if nothing speaks for it.
why_kept() {
  case ${1%%:*} in
    openssh-server) echo 'openssh-server stays: without it you could lose access to this server.' ;;
    mariadb-server | mysql-server)
      [ -n "$(find /var/lib/mysql -mindepth 1 -maxdepth 1 -type d ! -name mysql ! -name sys ! -name performance_schema \
        ! -name innkeeper_agent ! -name '#*')" ] && echo "$1 stays: it has databases." ;;
    nginx)
      [ -n "$(find /etc/nginx/sites-enabled /etc/nginx/conf.d -mindepth 1 ! -name default)" ] &&
        echo 'nginx stays: it has sites of yours.' ;;
    cron)
      [ -n "$(find /var/spool/cron/crontabs -type f)" ] && echo 'cron stays: it has crontabs of users.' ;;
    postfix)
      [ -e /etc/postfix/main.cf ] && echo 'postfix stays: it has a configuration of yours.' ;;
    php*-fpm)
      [ -n "$(find /etc/php/*/fpm/pool.d -name '*.conf' ! -name www.conf)" ] && echo "$1 stays: it has pools of yours." ;;
    *) false ;;
  esac
}
