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
  step 'systemd units and files' remove_files
  step 'Folders' remove_folders
  printf 'The agent is uninstalled. Debian packages stay installed. To remove this server from the control plane, run there: innctl node remove\n'
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
  DEBIAN_FRONTEND=noninteractive pam-auth-update --package --remove innkeeper
  ! grep -q pam_namespace /etc/pam.d/common-session-noninteractive ||
    fail 'pam-auth-update does not change /etc/pam.d, because somebody edited it by hand. Run "pam-auth-update --force --remove innkeeper", then ./install.sh --uninstall again.'
  did 'removed the PAM profile of Innkeeper'
}

# Restores Debian's own settings that were changed for accounts.
release_services() {
  local unit mode path
  if [ -e /etc/at.allow ] && grep -q "$HEADER" /etc/at.allow; then rm -f /etc/at.allow; fi
  sed -i -E '/^# innkeeper, was \/usr\/lib\/openssh\/sftp-server$/{N;s/^# innkeeper, was (.*)\n(Subsystem[[:space:]]+sftp[[:space:]]+)internal-sftp$/\2\1/}' /etc/ssh/sshd_config
  if [ -e "$STATE/masked" ]; then
    while read -r unit; do systemctl unmask "$unit"; done <"$STATE/masked"
    rm "$STATE/masked"
    did 'unmasked the PHP-FPM services of Debian'
  fi
  if [ -e "$STATE/modes" ]; then
    # Files that are created at each boot may be missing.
    while read -r mode path; do [ ! -e "$path" ] || chmod "$mode" "$path"; done <"$STATE/modes"
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
  rm -f /etc/mysql/*.conf.d/71-innkeeper-size.cnf
  if changed /etc/mysql/ && systemctl is-active --quiet mariadb; then systemctl restart mariadb; fi
  rm -f /etc/innkeeper/database.pem /etc/innkeeper/database.key
  sysctl --system || true
  ! getent group innkeeper-proc >/dev/null || groupdel innkeeper-proc
  did "$(printf '%s' "$CHANGED_FILES" | grep -c .) files removed"
}

remove_folders() {
  local folder
  if [ -e "$STATE/php-sessions-closed" ] && [ -d "$PHP_SESSIONS" ]; then chmod 1733 "$PHP_SESSIONS"; fi
  for folder in /opt/innkeeper /run/innkeeper /var/lib/innkeeper; do
    [ ! -e "$folder" ] || did "removed $folder"
    rm -rf --one-file-system "$folder"
  done
  rm -rf /etc/innkeeper
  rmdir --ignore-fail-on-non-empty /home/.innkeeper-tmp/* /home/.innkeeper-tmp || true
}
