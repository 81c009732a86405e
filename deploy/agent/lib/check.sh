# shellcheck shell=bash
# What the installation needs, found out before anything is changed. Sourced by install.sh.
#
# Each finding is a status, a name and a sentence:
#   ok       as needed
#   change   the installer will change it
#   note     works with less: the sentence says with what
#   refused  the installation would fail, or harm what is on the server: the sentence says what to do
# Nothing here changes the server: no file, package, unit or setting.

FINDINGS='' MISSING='' NEW_FILES=0
MEMORY_MIB=900
# The release twice, because an upgrade keeps the previous one.
RELEASE_MIB=400
# For all packages that a minimal Debian lacks: files, and their archives while apt installs them.
PACKAGES_MIB=1200
ARCHIVES_MIB=700

found() {
  FINDINGS="$FINDINGS$1	$2	$3
"
}

check_server() {
  local check
  for check in check_system check_architecture check_systemd check_cgroups check_memory check_panels check_packages \
    check_disk check_ports check_ftp check_users check_files check_configuration check_database check_php check_schedulers check_mail \
    check_security_modules check_quota check_kernel check_control; do
    # "if" keeps a failed command in a check from ending the installer.
    if ! "$check" 2>/dev/null; then :; fi
  done
}

findings() { printf '%s' "$FINDINGS" | awk -F '\t' -v status="$1" '$1 == status'; }

print_findings() { awk -F '\t' '{ printf "%-8s %-14s %s\n", $1, $2, $3 }'; }

# --check: prints every finding. Exit code 2 if the installation would be refused.
show_check() {
  check_server
  printf '%s' "$FINDINGS" | print_findings
  [ -z "$(findings refused)" ] || exit 2
}

# Before an installation: nothing has been changed when this ends the installer.
require_server() {
  check_server
  [ -n "$(findings refused)" ] || return 0
  {
    findings refused | print_findings
    printf 'Nothing was changed. To see all requirements, run: ./install.sh --check\n'
  } >&2
  exit 2
}

warn_of_notes() {
  local name sentence
  while IFS='	' read -r _ name sentence; do
    [ -z "$name" ] || warn "$name: $sentence"
  done < <(findings note)
}

of_system() { (set +u && . /etc/os-release && eval "printf '%s' \"\$$1\""); }

check_system() {
  local name id version
  name=$(of_system PRETTY_NAME) id=$(of_system ID) version=$(of_system VERSION_ID)
  case $id:$version in
    debian:12 | debian:13) found ok system "$name" ;;
    debian:*) found refused system "This server runs $name. This release of the agent is tested on Debian 12 and 13 only. Use one of them." ;;
    *) found refused system "This server runs ${name:-an unknown system}. The agent needs Debian 12 or 13: glibc, systemd 252 or later as process 1, apt, and Debian's nginx, PHP-FPM, MariaDB (10.11 or later) or MySQL (8.4 or later), cron and OpenSSH with PAM. Install Debian 13 on this server." ;;
  esac
}

check_architecture() {
  if "$SOURCE/node" --version >/dev/null 2>&1; then
    found ok architecture "$(uname -m)"
  else
    found refused architecture "The Node.js of this release does not run on this server ($(uname -m)). It needs an x86_64 processor and glibc 2.28 or later. Use such a server."
  fi
}

check_systemd() {
  local version
  version=$(systemctl --version 2>/dev/null | sed -nE '1s/^systemd ([0-9]+).*/\1/p')
  if [ ! -d /run/systemd/system ]; then
    found refused systemd 'systemd is not process 1. The agent needs it: install systemd-sysv and reboot.'
  elif [ "${version:-0}" -lt 252 ]; then
    found refused systemd "systemd is ${version:-unknown}. The agent needs 252 or later, as in Debian 12."
  else
    found ok systemd "$version"
  fi
}

# The agent ends all processes of an account by the unified tree, which systemd mounts beside version 1 too.
check_cgroups() {
  local controllers missing='' name
  if controllers=$(cat /sys/fs/cgroup/cgroup.controllers); then
    for name in cpu io memory pids; do
      case " $controllers " in *" $name "*) ;; *) missing="$missing $name" ;; esac
    done
    if [ -z "$missing" ]; then
      found ok cgroup 'version 2'
    else
      found note cgroup "version 2 without the controllers$missing: these limits of accounts have no effect. Use a kernel with them; in a container, its host must pass them on."
    fi
  elif [ -e /sys/fs/cgroup/unified/cgroup.procs ]; then
    found ok cgroup 'version 1, with a unified tree beside it'
  else
    found refused cgroup 'Only version 1 of cgroups is mounted. Add systemd.unified_cgroup_hierarchy=1 to the command line of the kernel (/etc/default/grub, then update-grub) and reboot.'
  fi
}

check_memory() {
  local mib
  mib=$(($(sed -nE 's/^MemTotal: *([0-9]+) kB$/\1/p' /proc/meminfo) / 1024))
  if [ "$mib" -lt "$MEMORY_MIB" ]; then
    found refused memory "This server has $mib MiB of memory. nginx, the database server and the agent need at least 1 GB."
  else
    found ok memory "$mib MiB"
  fi
}

# A path, and the panel that it belongs to.
PANELS='
/usr/local/cpanel                     cPanel
/usr/local/psa                        Plesk
/opt/psa                              Plesk
/usr/local/hestia                     HestiaCP
/usr/local/vesta                      VestaCP
/etc/webmin/virtual-server            Virtualmin
/usr/share/webmin/virtual-server      Virtualmin
/usr/local/directadmin                DirectAdmin
/usr/local/ispconfig                  ISPConfig
/usr/local/CyberCP                    CyberPanel
/www/server/panel                     aaPanel
/home/clp                             CloudPanel
/var/www/froxlor                      Froxlor
/opt/keyhelp                          KeyHelp
/etc/liveconfig                       LiveConfig
'

check_panels() {
  local path panel
  while read -r path panel; do
    [ -n "$path" ] && [ -e "$path" ] || continue
    found refused panel "$panel is on this server ($path), and manages the same users and files of nginx and PHP. Use a server without it, or remove it."
    return
  done <<<"$PANELS"
  found ok panel 'no other hosting panel'
}

# apt-get that only prints what it would do, and writes no cache.
pretend_apt() { apt-get -s -y -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= "$@" 2>&1; }

check_packages() {
  local missing said removed
  command -v apt-get >/dev/null || return 0
  if dpkg-query -W -f '${db:Status-Status}\n' | grep -qE '^(unpacked|half-installed|half-configured)$'; then
    found refused packages 'dpkg was interrupted. Run "dpkg --configure -a" and "apt-get --fix-broken install".'
    return
  fi
  MISSING=$(missing_packages | tr '\n' ' ') missing=${MISSING% }
  if [ -z "$missing" ]; then
    found ok packages 'all installed'
    return
  fi
  # shellcheck disable=SC2086
  if said=$(pretend_apt install --no-install-recommends $missing); then
    removed=$(sed -nE 's/^Remv ([^ ]+).*/\1/p' <<<"$said" | paste -sd ' ')
    if [ -n "$removed" ]; then
      found refused packages "Installing $missing would remove: $removed. Remove these packages yourself if nothing needs them."
    else
      found change packages "apt-get installs $missing, with $(grep -c '^Inst ' <<<"$said") packages in all"
    fi
  elif grep -q 'Unable to locate package\|no installation candidate' <<<"$said"; then
    found change packages "apt-get fetches its package lists and installs $missing"
  else
    found refused packages "apt-get cannot install $missing: $(grep -m 1 '^E: ' <<<"$said"). Run \"apt-get update\" and \"apt-get --fix-broken install\"."
  fi
}

check_disk() {
  local path needed short
  short=$(
    {
      if [ -d "$RELEASES" ]; then echo "/opt $((RELEASE_MIB / 2))"; else echo "/opt $RELEASE_MIB"; fi
      [ -z "$MISSING" ] || printf '/usr %s\n/var %s\n' "$PACKAGES_MIB" "$ARCHIVES_MIB"
    } | while read -r path needed; do
      df -Pk "$path" | awk -v needed="$needed" 'NR == 2 { print $6, int($4 / 1024), needed }'
    done | awk '{ free[$1] = $2; needed[$1] += $3 }
      END { for (at in free) if (free[at] < needed[at])
        printf "%s has %d MiB of free space, and %d MiB are needed. ", at, free[at], needed[at] }'
  )
  if [ -n "$short" ]; then
    found refused disk "${short}Free some space or use a larger disk."
  else
    found ok disk 'enough free space'
  fi
}

# Prints the programs that listen on a TCP port, one a line.
listeners() {
  local inode
  awk -v port="$(printf ':%04X' "$1")" \
    '$4 == "0A" && substr($2, length($2) - 4) == port { print $10 }' /proc/net/tcp /proc/net/tcp6 | sort -u |
    while read -r inode; do
      find /proc/[0-9]*/fd -maxdepth 1 -lname "socket:\[$inode\]" -printf '%h\n' |
        sed 's|/fd$|/comm|' | xargs -r cat
    done | sort -u
}

check_ports() {
  local port expected program name foreign=''
  while read -r port expected name; do
    [ -n "$port" ] || continue
    while read -r program; do
      [[ $program =~ ^($expected)$ ]] || foreign="$foreign$program listens on port $port, which $name needs. "
    done < <(listeners "$port")
  done <<<'
21 proftpd the FTP server of accounts
80 nginx nginx
443 nginx nginx
3306 mariadbd|mysqld the database server
9465 node|MainThread the agent
'
  if [ -n "$foreign" ]; then
    found refused ports "${foreign}Stop and disable it (for Apache: systemctl disable --now apache2), or move it to another port or server."
  else
    found ok ports '21, 80, 443, 3306 and 9465 are free or in use by the right programs'
  fi
}

# Debian's own FTP server, with the operator's configuration.
check_ftp() {
  ! systemctl is-active --quiet proftpd.service ||
    found refused ftp "proftpd.service runs, and accounts have an FTP server of their own on its port. Stop and disable it: systemctl disable --now proftpd.service"
}

check_users() {
  local foreign file
  foreign=$(foreign_users | head -n 10 | paste -sd ' ')
  if [ -n "$foreign" ]; then
    found refused users "These users do not belong to Innkeeper, but have uids in the range of hosting accounts (20000 and above): $foreign. Give them a uid below 20000 (usermod --uid, then chown their files) or remove them."
    return
  fi
  found ok users 'no foreign uid in the range of hosting accounts'
  for file in /etc/subuid /etc/subgid; do
    [ ! -s "$file" ] || found note users "$file gives these users subordinate ids that hosting accounts may get as uids: $(cut -d : -f 1 "$file" | sort -u | paste -sd ' '). Remove the lines that no container needs."
  done
}

# Files of the release, and those of others in their places.
check_files() {
  local file foreign='' new=0
  while IFS= read -r file; do
    if [ ! -e "$file" ]; then
      new=$((new + 1))
    elif is_foreign "$SOURCE/files$file" "$file"; then
      foreign="$foreign $file"
    elif ! cmp -s "$SOURCE/files$file" "$file"; then
      new=$((new + 1))
    fi
  done < <(cd "$SOURCE/files" && find . -type f -printf '/%P\n')
  NEW_FILES=$new
  if [ -n "$foreign" ]; then
    found refused files "These files are in the way and do not belong to Innkeeper:$foreign. Move each to another folder."
  elif [ "$new" != 0 ]; then
    found change files "$new files are placed or replaced; --uninstall removes them"
  else
    found ok files 'all placed'
  fi
}

# nginx, sshd and PAM with our files, in copies of /etc that only the rehearsal sees.
check_configuration() {
  local status name sentence
  [ "$NEW_FILES" != 0 ] || return 0
  if ! unshare --mount true; then
    found note rehearsal 'This server lets root mount nothing, so the configuration of nginx, sshd and PAM was not tested beforehand.'
    return
  fi
  while IFS='	' read -r status name sentence; do
    found "$status" "$name" "$sentence"
  done < <(unshare --mount --propagation private bash "$SOURCE/lib/rehearse.sh" "$SOURCE")
}

check_database() {
  local program version minimum name client databases
  program=$(compgen -G '/usr/sbin/m[ay]*d' | grep -m 1 -xE '/usr/sbin/(mariadbd|mysqld)') || true
  if [ -z "$program" ]; then
    found change database 'MariaDB is installed'
    return
  fi
  version=$("$program" --no-defaults --version | sed -nE 's/.* Ver ([0-9]+\.[0-9]+\.[0-9]+).*/\1/p')
  if "$program" --no-defaults --version | grep -q MariaDB; then name=MariaDB minimum=10.11; else name=MySQL minimum=8.4; fi
  if ! printf '%s\n%s\n' "$minimum" "$version" | sort -CV; then
    found refused database "$name $version is too old: the agent needs MariaDB 10.11 or MySQL 8.4, or later."
    return
  fi
  if [ ! -S /run/mysqld/mysqld.sock ]; then
    found change database "$name $version is started; its databases stay"
    return
  fi
  client=$(command -v mariadb || command -v mysql)
  if ! databases=$("$client" --no-defaults --user=root --socket=/run/mysqld/mysqld.sock --skip-column-names \
    --batch -e "select count(*) from information_schema.schemata where schema_name not in
      ('mysql', 'sys', 'information_schema', 'performance_schema', 'innkeeper_agent')" </dev/null); then
    found refused database "$name does not let root log in over /run/mysqld/mysqld.sock without a password. Run there: $([ "$name" = MariaDB ] && echo 'ALTER USER root@localhost IDENTIFIED VIA unix_socket' || echo "INSTALL PLUGIN auth_socket SONAME 'auth_socket.so'; ALTER USER root@localhost IDENTIFIED WITH auth_socket")."
  elif [ -e /etc/innkeeper/database.pem ]; then
    found ok database "$name $version"
  else
    found change database "$name $version gets settings for accounts and restarts once; $databases databases of yours stay"
  fi
}

check_php() {
  local unit
  while read -r unit _; do
    [ "$(systemctl is-enabled "$unit")" != masked ] || continue
    if php_unit_in_use "$unit" >/dev/null; then
      found note php "$unit continues, because $(php_unit_in_use "$unit"). Its user www-data can read what homes share with nginx. Disable it when nothing needs it."
    else
      found change php "$unit is stopped and masked: it has no pool of yours, and sites have PHP masters of their own"
    fi
  done < <(systemctl list-unit-files --no-legend --plain 'php*-fpm.service')
}

check_schedulers() {
  local table
  for table in /var/spool/cron/crontabs/*; do
    [ -e "$table" ] && [ "$(stat -c %u "$table")" -ge 20000 ] || continue
    found change cron "$table is removed: hosting accounts have their jobs in the panel"
  done
}

# Accounts send over a Postfix of their own. The operator's Postfix, and its configuration, are not touched.
check_mail() {
  local other
  if other=$(other_mail_server); then
    found note mail "$other is the mail server here, and Debian installs Postfix in its place only. Accounts cannot send mail until you remove it (apt-get purge $other) and run the installer again. Nothing of it is changed."
  elif [ -e /usr/sbin/sendmail ] && [ ! -L /usr/sbin/sendmail ] && ! dpkg -S /usr/sbin/sendmail >/dev/null 2>&1 &&
    ! dpkg-divert --list /usr/sbin/sendmail | grep -q innkeeper; then
    found refused mail '/usr/sbin/sendmail belongs to no package. Move it to another place: mail of accounts needs this name.'
  elif [ -e /etc/postfix/main.cf ]; then
    found ok mail 'your Postfix stays as it is; accounts send over one of their own, with another queue and without a port'
  else
    found ok mail 'accounts send over a Postfix without a port, once a relay is set in the panel'
  fi
}

check_security_modules() {
  local confined
  if [ "$(cat /sys/fs/selinux/enforce)" = 1 ]; then
    found refused selinux 'SELinux enforces its policy, which has no rules for hosting accounts. Set SELINUX=permissive in /etc/selinux/config and reboot.'
  else
    found ok selinux 'absent or permissive'
  fi
  if [ ! -r /sys/kernel/security/apparmor/profiles ]; then
    found ok apparmor absent
    return
  fi
  confined=$(sed -nE 's,^/?(usr/sbin/)?(nginx|sshd|cron|mysqld|mariadbd|php-fpm[^ ]*)( .*)?\(enforce\)$,\2,p' \
    /sys/kernel/security/apparmor/profiles | sort -u | paste -sd ' ')
  if [ -n "$confined" ]; then
    found note apparmor "A profile confines $confined. It must allow /etc/innkeeper, /run/innkeeper*, /var/log/innkeeper and /home; otherwise put it into complain mode (aa-complain)."
  else
    found ok apparmor 'on; no profile confines nginx, PHP, sshd, cron or the database server'
  fi
}

check_quota() {
  local point type options
  read -r point type options < <(findmnt --noheadings --output TARGET,FSTYPE,OPTIONS --target /home)
  # Its exit code depends on the version.
  if [[ $(quotaon -pu "$point" || true) == *' is on'* ]]; then
    found ok quota "user quotas of $point ($type) enforce disk limits"
  elif [[ ,$options, == *,usrquota,* || ,$options, == *,uquota,* ]] && ! command -v quotaon >/dev/null; then
    found ok quota "$point ($type) is mounted with user quotas"
  else
    found note quota "$point ($type) has no user quotas, so disk limits are measured and not enforced (accounting-only). To enforce them, see \"Disk limits\" in docs/operations.md."
  fi
}

check_kernel() {
  local container
  if container=$(systemd-detect-virt --container); then
    found note kernel "This server is a container ($container). Settings of the kernel are those of its host."
  else
    found ok kernel "$(uname -r)"
  fi
  if command -v nft >/dev/null && ! nft list tables >/dev/null; then
    found note firewall 'This kernel has no nftables, so accounts reach cloud metadata, the control plane and port 25 of other servers. Use the kernel of Debian.'
  fi
}

# The control plane and the join token. A server that is enrolled can be repaired while the control plane is away.
check_control() {
  local status name sentence said token=()
  if [ -e "$IDENTITY" ] && [ -z "$RE_ENROL" ]; then
    found ok identity 'this server is enrolled'
  elif [ -n "$TOKEN_FILE" ] && [ "$TOKEN_FILE" != - ] && [ ! -r "$TOKEN_FILE" ]; then
    found refused join-token "The join token file $TOKEN_FILE does not exist or is not readable. Give the path of the file with the join token to --join-token-file."
  elif [ -n "$TOKEN_FILE" ]; then
    found change identity 'this server is enrolled with the join token'
    token=(--token-file "$TOKEN_FILE")
  elif [ -n "$CHECK$NO_ENROL" ]; then
    found change identity 'this server is enrolled later, with a join token from "innctl node add"'
  else
    found refused identity 'This server is not enrolled. Run "innctl node add" on the control plane, write the join token that it prints into a file, and add --join-token-file FILE.'
  fi
  [ -z "$(findings refused | grep -F architecture)" ] || return 0
  if [ -n "$CONTROL" ] && ! valid_address "$CONTROL"; then
    found refused control "\"$CONTROL\" is not a valid address: --control needs HOST:PORT, with an IPv6 address in brackets."
    return
  fi
  if ! said=$("$SOURCE/node" --env-file-if-exists="$CONF" "$SOURCE/innkeeper-agent.mjs" check-control \
    ${CONTROL:+--control "$CONTROL"} "${token[@]}" <<<"$TOKEN" 2>&1); then
    [ ${#token[@]} = 0 ] || found refused join-token "$(sed -n 's/^innkeeper-agent: //p' <<<"$said")"
    return
  fi
  while IFS='	' read -r status name sentence; do
    [ -n "$name" ] || continue
    if [ "$status" = refused ] && [ ${#token[@]} = 0 ] && [ -e "$IDENTITY" ]; then status=note; fi
    found "$status" "$name" "$sentence"
  done <<<"$said"
}

valid_address() {
  [[ $1 =~ ^([a-zA-Z0-9.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}$ ]] && [ "${1##*:}" -ge 1 ] && [ "${1##*:}" -le 65535 ]
}
